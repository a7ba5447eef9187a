"""Lists SageMaker's rules about combinations of CreateTrainingJob members, and refuses requests that break one.

docs/reference/rest.md shows the table. The emulator enforces the same rules from the same sources, but does not use
this code. A source is AWS's API reference or developer guide, an error reported by SageMaker users ("seen"), or a
conclusion from AWS's text ("follows from").
"""

from scheduler.core.requests.sdk_arguments import arguments_for
from scheduler.core.requests.service_rules import input_breaches, job_breaches, resource_breaches
from scheduler.core.requests.service_rules.rule import Request, ServiceRule
from scheduler.errors.refusals import BadRequest

RULES = (
    ServiceRule(
        field="ResourceConfig.SelectedInstanceType, .SelectedInstanceCount",
        message="Only SageMaker sets it",
        remedy="Remove it: it came from a description of another training job.",
        source="API reference, ResourceConfig",
        breaches=resource_breaches.selected_instances,
    ),
    ServiceRule(
        field="ResourceConfig.InstanceType, .InstanceGroups, .InstancePreferences",
        message="A job on instances must have exactly one of InstanceType, InstanceGroups and InstancePreferences",
        remedy="Keep one of them.",
        source="API reference, ResourceConfig; seen, aws/sagemaker-python-sdk#5564",
        breaches=resource_breaches.kinds_of_instances,
    ),
    ServiceRule(
        field="ResourceConfig.InstanceCount",
        message="Each of InstanceGroups has its own count",
        remedy="Remove ResourceConfig.InstanceCount.",
        source="seen, aws/sagemaker-python-sdk#5564",
        breaches=resource_breaches.count_beside_groups,
    ),
    ServiceRule(
        field="InstancePreferences[].InstanceCount",
        message="Each preference has a count, or ResourceConfig.InstanceCount is the count of all",
        remedy="Set InstanceCount in each preference, or once in ResourceConfig.",
        source="API reference, InstancePreference",
        breaches=resource_breaches.counts_of_preferences,
    ),
    ServiceRule(
        field="Every InstanceCount",
        message="An instance count must be at least 1",
        remedy="Use 1 or more.",
        source="API reference, PlacementSpecification; for the others follows from ResourceConfig",
        breaches=resource_breaches.too_few_instances,
    ),
    ServiceRule(
        field="InstancePreferences[].InstanceType",
        message="Each instance type appears in one preference only",
        remedy="Name each type once.",
        source="API reference, InstancePreference",
        breaches=resource_breaches.repeated_preferences,
    ),
    ServiceRule(
        field="ResourceConfig.InstancePreferences",
        message="Preferences have no InstancePlacementConfig",
        remedy="Use one or the other.",
        source="API reference, ResourceConfig",
        breaches=resource_breaches.placed_preferences,
    ),
    ServiceRule(
        field="ResourceConfig.InstancePreferences",
        message="Preferences are for on-demand instances only",
        remedy="Use one or the other; with spot, the option alternatives can name further types.",
        source="API reference, ResourceConfig",
        breaches=resource_breaches.preferences_on_spot,
    ),
    ServiceRule(
        field="ResourceConfig.KeepAlivePeriodInSeconds",
        message="Spot instances are not kept in warm pools",
        remedy="Set it to 0 or remove it, or turn EnableManagedSpotTraining off.",
        source="developer guide, SageMaker Managed Warm Pools",
        breaches=resource_breaches.pool_on_spot,
    ),
    ServiceRule(
        field="ResourceConfig.KeepAlivePeriodInSeconds",
        message="InstanceGroups are not kept in warm pools",
        remedy="Set it to 0 or remove it, or use one InstanceType.",
        source="developer guide, SageMaker Managed Warm Pools",
        breaches=resource_breaches.pool_of_groups,
    ),
    ServiceRule(
        field="StoppingCondition.MaxRuntimeInSeconds",
        message="A training job runs for 28 days at most",
        remedy="Use at most 2419200.",
        source="API reference, StoppingCondition",
        breaches=job_breaches.long_runtime,
    ),
    ServiceRule(
        field="StoppingCondition.MaxWaitTimeInSeconds",
        message="A spot job needs a limit on its total waiting and running time",
        remedy="Set it to MaxRuntimeInSeconds or more, or turn EnableManagedSpotTraining off.",
        source="developer guide, Managed Spot Training",
        breaches=job_breaches.spot_without_wait,
    ),
    ServiceRule(
        field="StoppingCondition.MaxWaitTimeInSeconds",
        message="The wait time includes the run time, which is 86400 seconds unless MaxRuntimeInSeconds is given",
        remedy="Set it to MaxRuntimeInSeconds or more.",
        source="API reference, StoppingCondition",
        breaches=job_breaches.short_wait,
    ),
    ServiceRule(
        field="StoppingCondition.MaxWaitTimeInSeconds",
        message="Only spot jobs have a wait time",
        remedy="Remove it, or set EnableManagedSpotTraining to true.",
        source="seen, Kenza-AI/sagify#111",
        breaches=job_breaches.wait_without_spot,
    ),
    ServiceRule(
        field="AlgorithmSpecification.TrainingImage, .AlgorithmName",
        message="A job must have exactly one of TrainingImage and AlgorithmName",
        remedy="Keep one of them.",
        source="API reference, AlgorithmSpecification",
        breaches=input_breaches.image_or_algorithm,
    ),
    ServiceRule(
        field="VpcConfig",
        message="An image with the TrainingRepositoryAccessMode Vpc is pulled through the job's VPC",
        remedy="Add VpcConfig, or remove TrainingImageConfig.",
        source="developer guide, Use a Private Docker Registry",
        breaches=input_breaches.registry_outside_vpc,
    ),
    ServiceRule(
        field="InputDataConfig[].ChannelName",
        message="Each channel has a directory with its name, so channel names must be unique",
        remedy="Give each channel another name.",
        source="follows from the developer guide, Training Storage Folders",
        breaches=input_breaches.repeated_channels,
    ),
    ServiceRule(
        field="InputDataConfig[].DataSource",
        message="A channel must have exactly one source",
        remedy="Keep S3DataSource, FileSystemDataSource or DatasetSource; give another source another channel.",
        source="follows from the API reference, Channel and DataSource",
        breaches=input_breaches.sources_of_channels,
    ),
    ServiceRule(
        field="InputDataConfig[].DataSource.FileSystemDataSource",
        message="A job reaches EFS and FSx through its VPC",
        remedy="Add VpcConfig. In the SDK: subnets and security_group_ids.",
        source="developer guide, Access Training Data",
        breaches=input_breaches.file_systems_outside_vpc,
    ),
    ServiceRule(
        field="InputDataConfig[].DataSource.S3DataSource.S3DataType",
        message="AugmentedManifestFile needs the input mode Pipe",
        remedy="Set the channel's InputMode to Pipe, or use another S3DataType.",
        source="API reference, S3DataSource",
        breaches=input_breaches.manifests_outside_pipes,
    ),
    ServiceRule(
        field="InputDataConfig[].CompressionType",
        message="The input mode File does not decompress data",
        remedy="Set it to None and decompress in the script, or set the channel's InputMode to Pipe.",
        source="API reference, Channel; seen, aws/sagemaker-python-sdk#716",
        breaches=input_breaches.compressed_files,
    ),
    ServiceRule(
        field="InputDataConfig[].DataSource.S3DataSource.InstanceGroupNames[]",
        message="The name must be that of one of the InstanceGroups",
        remedy="Use an InstanceGroupName of ResourceConfig.InstanceGroups.",
        source="follows from the API reference, S3DataSource",
        breaches=input_breaches.unknown_groups,
    ),
    ServiceRule(
        field="InputDataConfig[].DataSource.S3DataSource.InstanceGroupNames",
        message="If one channel names its instance groups, every channel must",
        remedy="Name the groups in each channel, or in none.",
        source="seen, aws/sagemaker-python-sdk#6089",
        breaches=input_breaches.channels_without_groups,
    ),
    ServiceRule(
        field="Tags[].Key",
        message="Keys that begin with aws: are reserved by AWS",
        remedy="Remove the tag, or rename it.",
        source="AWS General Reference, tags",
        breaches=job_breaches.reserved_tags,
    ),
    ServiceRule(
        field="Tags[].Key",
        message="Tag keys are unique",
        remedy="Remove one of the tags.",
        source="API reference, Tag",
        breaches=job_breaches.repeated_tags,
    ),
    ServiceRule(
        field="DebugRuleConfigurations[] and ProfilerRuleConfigurations[].RuleConfigurationName",
        message="Rule names are unique",
        remedy="Give each rule another name.",
        source="API reference, DebugRuleConfiguration and ProfilerRuleConfiguration",
        breaches=job_breaches.repeated_debugger_rules,
    ),
    ServiceRule(
        field="ProfilerConfig.ProfilingIntervalInMilliseconds",
        message="The profiler measures every 100, 200, 500, 1000, 5000 or 60000 milliseconds",
        remedy="Use one of these.",
        source="API reference, ProfilerConfig",
        breaches=job_breaches.profiling_interval,
    ),
)


def refuse_contradictions(request: Request) -> None:
    """Raises BadRequest for the first rule that the request breaks. The request must be well formed."""
    for rule in RULES:
        for breach in rule.breaches(request):
            raise BadRequest(
                f"{breach.field} {breach.problem}. {rule.message}.",
                field=breach.field,
                remedy=" ".join(filter(None, (rule.remedy, arguments_for(breach.field)))),
            )
