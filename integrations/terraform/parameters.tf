# The parameters of the stack. One that is null keeps the default of the template, and has its description.

variable "instance_budget" {
  description = "The most instances of each type that the queue may hold at once. Jobs on other types are refused. Entries such as ml.m5.large@processing=4 are for processing jobs, whose quotas are separate."
  type        = string
  default     = null
}

variable "operators" {
  description = "Roles and users that may always operate the queue (budget, intake, all jobs, permissions), for example role/Platform,user/ada. The configuration cannot take this permission away. By default, only the account's root user is an operator, so name the role that you work with."
  type        = string
  default     = null
}

variable "execution_role_pattern" {
  description = "Execution roles that the scheduler may pass to SageMaker, with their path. * stands for any text. Every user who may submit jobs can run code as any of these roles, unless the configuration's section callers allows fewer roles. So there is no default. Name one role, or a path that only training roles have, for example queue/*."
  type        = string
}

variable "name_mark" {
  description = "The part of a training job's name that marks the job as the queue's, such as sq in resnet-sq-3. The scheduler has no permission for other training jobs."
  type        = string
  default     = null
}

variable "budget_scope" {
  description = "The jobs that count against the budget. With account, training and processing jobs started outside the queue count, too. The queue never changes those, and starts no job while it cannot read SageMaker's lists of them."
  type        = string
  default     = null
}

variable "notices_email" {
  description = "An email address that receives notices about all jobs, once its owner has opened the link in the mail from AWS. If empty, nobody is subscribed at first."
  type        = string
  default     = null
}

variable "force_configuration" {
  description = "Whether the file replaces versions that operators applied since the last deployment. With no, such versions make the deployment fail. Set yes for one deployment only."
  type        = string
  default     = null
}

variable "guard_unmanaged_jobs" {
  description = "The queue's response to training jobs that were started outside it and break the rules: none (off), record and notify (warn), or also stop them if they break an enforced rule (stop). Only the value stop gives the scheduler permission to stop any training job."
  type        = string
  default     = null
}

variable "sweep_rate" {
  description = "The time between two cycles of the scheduler while nothing in the queue changes."
  type        = string
  default     = null
}

variable "vpc_endpoints" {
  description = "VPC endpoints (vpce-…) for execute-api, separated by commas. If set, the API is private: it has no public address, and answers only calls through one of these endpoints."
  type        = string
  default     = null
}

variable "private_callers" {
  description = "Roles and users that may call the private API, as ARNs separated by commas. If empty, every caller in this account whose own policies allow it may call the API."
  type        = string
  default     = null
}

variable "customer_key" {
  description = "Whether a key of this stack encrypts the table, request bodies, topics, dead letters and logs, instead of AWS's own keys. The account controls the key, which costs a dollar a month plus its requests. Once set to yes, it cannot be set back to no."
  type        = string
  default     = null
}

variable "api_access_logs" {
  description = "Whether API Gateway logs each call to the API, without its body. Before you turn this on, set a role for logs in the account's API Gateway settings of this region; otherwise the deployment fails (docs/admin/deploy.md)."
  type        = string
  default     = null
}

variable "log_retention_days" {
  description = "The number of days for which CloudWatch keeps the logs."
  type        = number
  default     = null
}

variable "history_days" {
  description = "The number of days for which the table keeps the history of jobs, with users' requests and the queue's decisions."
  type        = number
  default     = null
}

variable "permissions_boundary" {
  description = "The ARN of a policy to use as the permissions boundary of all roles of the stack, if your account requires one. If empty, the roles have no boundary."
  type        = string
  default     = null
}

variable "event_bus" {
  description = "The name of the EventBridge bus that receives an event for each change to a job, for example default. A million events cost a dollar. If empty, no events are sent."
  type        = string
  default     = null
}

variable "callbacks" {
  description = "Whether jobs may report their ends to Step Functions, SageMaker Pipelines, EventBridge and the hosts in WebhookHosts (on_end). With on, a function runs every minute, for less than ten cents a month."
  type        = string
  default     = null
}

variable "metrics" {
  description = "The metrics that the queue sends to CloudWatch: none (off), how many jobs wait and for how long (few, 0.60 dollars a month), or all (1.80 dollars, plus 0.60 for each instance type)."
  type        = string
  default     = null
}

variable "webhook_hosts" {
  description = "Hosts of the webhooks that the configuration's section notices may name and, with Callbacks, any job's on_end, for example hooks.slack.com. With at least one host, the stack has a queue, a function and a secret for webhooks, which cost about 0.70 dollars a month. If empty, there are no webhooks."
  type        = string
  default     = null
}

variable "hosted_page" {
  description = "The output HostedPage of stacks/page.yaml: the page's address, its user pool and its identity pool. The API then answers this page in browsers, and recognises the people that sign in there. If empty, there is no hosted page."
  type        = string
  default     = null
}
