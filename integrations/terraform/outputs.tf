output "api_url" {
  description = "Address of the queue's API."
  value       = aws_cloudformation_stack.queue.outputs["ApiUrl"]
}

output "outputs" {
  description = "All outputs of the stack."
  value       = aws_cloudformation_stack.queue.outputs
}
