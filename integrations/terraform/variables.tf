variable "template" {
  description = "Path of the packaged template, which `sam package` writes."
  type        = string
}

variable "bucket" {
  description = "Bucket for the template and the configuration, in the region of the stack."
  type        = string
}

variable "prefix" {
  description = "Prefix of the keys in the bucket."
  type        = string
  default     = "sagequeue/"
}

variable "stack_name" {
  description = "Name of the stack."
  type        = string
  default     = "sagequeue"
}

variable "configuration" {
  description = "Path of the operators' configuration file. Without it, operators apply the configuration themselves."
  type        = string
  default     = null
}
