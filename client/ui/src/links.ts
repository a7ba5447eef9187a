// Links to tools beside the queue, from the tags of a job's request.

export interface Link {
  name: string;
  address: string;
}

const TOOLS: [RegExp, string][] = [
  [/mlflow/i, "MLflow"],
  [/wandb|weights.?and.?biases/i, "W&B"],
  [/tensorboard/i, "TensorBoard"],
];

/** Returns the tags that are addresses of web pages, by the names of known tools. */
export function linksOf(request: Record<string, unknown> | undefined): Link[] {
  const tags = (request?.Tags ?? []) as { Key: string; Value: string }[];
  return tags
    .filter((tag) => isWebPage(tag.Value))
    .map((tag) => ({ name: toolOf(`${tag.Key} ${tag.Value}`) ?? tag.Key, address: tag.Value }));
}

/** Returns where TensorBoard finds the logs that SageMaker writes; null if the request asks for none. */
export function tensorBoardFolder(request: Record<string, unknown> | undefined): string | null {
  const output = request?.TensorBoardOutputConfig as { S3OutputPath?: string } | undefined;
  return output?.S3OutputPath ?? null;
}

function toolOf(text: string): string | undefined {
  return TOOLS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Other schemes, such as javascript:, would run in the page. */
function isWebPage(text: string): boolean {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol);
}
