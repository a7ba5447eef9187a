# Deploys the packaged template and applies the configuration. docs/admin/terraform.md explains the module.

data "aws_region" "current" {}
data "aws_partition" "current" {}

locals {
  parameters = {
    InstanceBudget       = var.instance_budget
    Operators            = var.operators
    ExecutionRolePattern = var.execution_role_pattern
    NameMark             = var.name_mark
    BudgetScope          = var.budget_scope
    NoticesEmail         = var.notices_email
    ForceConfiguration   = var.force_configuration
    GuardUnmanagedJobs   = var.guard_unmanaged_jobs
    SweepRate            = var.sweep_rate
    VpcEndpoints         = var.vpc_endpoints
    PrivateCallers       = var.private_callers
    CustomerKey          = var.customer_key
    ApiAccessLogs        = var.api_access_logs
    LogRetentionDays     = var.log_retention_days
    HistoryDays          = var.history_days
    PermissionsBoundary  = var.permissions_boundary
    EventBus             = var.event_bus
    Callbacks            = var.callbacks
    Metrics              = var.metrics
    WebhookHosts         = var.webhook_hosts
    HostedPage           = var.hosted_page
    Configuration        = local.configuration
  }
  template_key      = "${var.prefix}template-${filesha256(var.template)}.yaml"
  configuration_key = "${var.prefix}configuration.yaml"
  # The stack applies the file only if it has this digest.
  configuration = var.configuration == null ? null : format(
    "%s/%s@sha256:%s", var.bucket, local.configuration_key, filesha256(var.configuration)
  )
}

resource "aws_s3_object" "template" {
  bucket      = var.bucket
  key         = local.template_key
  source      = var.template
  source_hash = filesha256(var.template)
}

resource "aws_s3_object" "configuration" {
  count       = var.configuration == null ? 0 : 1
  bucket      = var.bucket
  key         = local.configuration_key
  source      = var.configuration
  source_hash = filesha256(var.configuration)
}

resource "aws_cloudformation_stack" "queue" {
  name         = var.stack_name
  template_url = "https://${var.bucket}.s3.${data.aws_region.current.id}.${data.aws_partition.current.dns_suffix}/${aws_s3_object.template.key}"
  capabilities = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
  parameters   = { for name, value in local.parameters : name => tostring(value) if value != null }
  depends_on   = [aws_s3_object.configuration]
}
