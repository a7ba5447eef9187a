// What a section of the configuration may contain, read from its JSON schema: fields, and templates of new entries.

/** A part of config.schema.json, as far as the page reads it. */
export interface SchemaNode {
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
  type?: string;
  description?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  oneOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  enum?: string[];
  const?: string;
  default?: unknown;
  examples?: string[];
  additionalProperties?: boolean | SchemaNode;
}

export interface Field {
  name: string;
  values: string;
  isRequired: boolean;
  usual: string;
}

/** A kind of entry, such as one kind of rule, or the section's own fields. */
export interface Entry {
  label: string;
  description: string;
  fields: Field[];
  /** YAML with the required fields; empty for the section's own ones. */
  template: string;
}

/** Returns the entries that a section may have, and its own fields first. */
export function entriesOf(schema: SchemaNode, kind: string): Entry[] {
  const section = resolved(schema, schema.properties?.[kind] ?? {});
  if (section.items) return listEntries(schema, section.items, kind);
  const own = Object.entries(section.properties ?? {});
  const lists = own.filter(([, node]) => hasObjects(schema, node));
  const named = typeof section.additionalProperties === "object" ? section.additionalProperties : null;
  return [
    ...(own.length ? [{ ...entry(schema, section, kind), template: "" }] : []),
    ...lists.flatMap(([name, node]) => listEntries(schema, node.items ?? {}, name)),
    ...(named ? [namedEntry(schema, named, kind)] : []),
  ];
}

function listEntries(schema: SchemaNode, items: SchemaNode, list: string): Entry[] {
  const kinds = (items.oneOf ?? [items]).map((one) => resolved(schema, one));
  return kinds.map((node) => {
    const label = node.properties?.kind?.const ?? `entry of ${list}`;
    const one = entry(schema, node, label);
    return { ...one, template: asListItem(template(schema, node)) };
  });
}

/** An entry below a name that the operator chooses, as of a team. */
function namedEntry(schema: SchemaNode, node: SchemaNode, kind: string): Entry {
  const one = resolved(schema, node);
  const lines = template(schema, one).map((line) => `  ${line}`);
  return { ...entry(schema, one, `entry of ${kind}`), template: `name:\n${lines.join("\n")}\n` };
}

function entry(schema: SchemaNode, node: SchemaNode, label: string): Omit<Entry, "template"> {
  const fields = Object.entries(node.properties ?? {}).map(([name, member]) => ({
    name,
    values: values(schema, member),
    isRequired: (node.required ?? []).includes(name),
    usual: member.default === undefined ? "" : String(member.default),
  }));
  return { label, description: node.description ?? "", fields };
}

/** Returns the required fields; of fields of which one is required, the first. */
function template(schema: SchemaNode, node: SchemaNode): string[] {
  const required = [...(node.required ?? []), ...(node.anyOf?.[0]?.required ?? [])];
  return Object.entries(node.properties ?? {})
    .filter(([name]) => required.includes(name))
    .map(([name, member]) => `${name}: ${example(schema, member)}`);
}

function asListItem(lines: string[]): string {
  return `${lines.map((line, number) => (number ? `  ${line}` : `- ${line}`)).join("\n")}\n`;
}

function example(schema: SchemaNode, node: SchemaNode): string {
  const one = meant(schema, node);
  if (one.const) return one.const;
  if (one.examples?.[0]) return one.examples[0];
  if (one.enum?.[0]) return one.enum[0];
  if (one.type === "array") return "[]";
  if (one.type === "object") return "{}";
  if (one.type === "integer" || one.type === "number") return "1";
  return one.type === "boolean" ? "true" : "…";
}

/** Returns which values a field takes, as for people. */
function values(schema: SchemaNode, node: SchemaNode): string {
  const one = meant(schema, node);
  if (one.const) return one.const;
  if (one.enum) return one.enum.join(", ");
  if (one.type === "array") return one.items ? `a list: ${values(schema, one.items)}` : "a list";
  if (one.type === "object") {
    const names = Object.keys(one.properties ?? {});
    return names.length ? names.join(", ") : "values by name";
  }
  const examples = one.examples?.length ? `, such as ${one.examples.join(", ")}` : "";
  return `${one.type === "string" ? "a text" : (one.type ?? "any value")}${examples}`;
}

/** Returns what a reference or a value that may be null stands for. */
function meant(schema: SchemaNode, node: SchemaNode): SchemaNode {
  const some = node.anyOf?.find((one) => one.type !== "null") ?? node;
  return resolved(schema, some);
}

function resolved(schema: SchemaNode, node: SchemaNode): SchemaNode {
  const name = node.$ref?.replace("#/$defs/", "");
  return name === undefined ? node : { ...(schema.$defs?.[name] ?? {}), ...node };
}

function hasObjects(schema: SchemaNode, node: SchemaNode): boolean {
  const items = node.items && resolved(schema, node.items);
  return Boolean(items?.oneOf || items?.properties);
}
