// Writes functions/NAME/krm-function-definition.yaml: the KRMFunctionDefinition (KEP 2906) of each function, from its schema and
// metadata.yaml.
// Part of `npm run schemas`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { functionDoc } from './function-doc.mjs'
import { functionNames } from './function-registry.mjs'
import { ROOT } from './ready.mjs'

const HEADER = '# Written by npm run schemas, from metadata.yaml and the schema of the functionConfig.\n'
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// The functionConfig of a function without options of its own.
const CONFIGS = new Map([['check-policies', 'fleet-policy']])

for (const name of functionNames()) {
  const schema = join(ROOT, 'schemas', `${CONFIGS.get(name) ?? name}.json`)
  if (!existsSync(schema)) continue
  const definition = functionDefinition(name, JSON.parse(readFileSync(schema, 'utf8')))
  writeFileSync(
    join(ROOT, 'functions', name, 'krm-function-definition.yaml'),
    HEADER + stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false }),
  )
}

function functionDefinition(name, schema) {
  const { image, description, tags, sourceURL, examplePackageURLs, license } = functionDoc(name)
  const { apiVersion, kind } = schema.properties
  const [group, versionName] = apiVersion.const.split('/')
  return {
    apiVersion: 'config.kubernetes.io/v1alpha1',
    kind: 'KRMFunctionDefinition',
    metadata: { name: `${name}.${group}`, annotations: { 'config.kubernetes.io/local-config': 'true' } },
    spec: {
      group,
      names: { kind: kind.const },
      description,
      publisher: 'krm-variants',
      home: sourceURL.replace(/\/tree\/.*/, ''),
      tags,
      versions: [
        {
          name: versionName,
          schema: { openAPIV3Schema: toOpenApi(schema, schema.definitions ?? {}) },
          idempotent: true,
          usage: `${sourceURL}/README.md`,
          examples: examplePackageURLs,
          license,
          runtime: { container: { image: `${image}:v${version}` } },
        },
      ],
    },
  }
}

/** JSON Schema draft-07 in the part of it that OpenAPI 3.0 has: no references, const as enum, no lists of types. */
function toOpenApi({ $schema, $id, title, definitions, $ref, ...schema }, shared) {
  if ($ref !== undefined) return toOpenApi(shared[$ref.split('/').at(-1)], shared)
  const { type, const: only, enum: allowed, examples, properties, items, additionalProperties, ...rest } = schema
  const values = only === undefined ? allowed : [only]
  const child = (part) => toOpenApi(part, shared)
  return {
    ...rest,
    ...typeOf(type, values),
    ...(values && { enum: values }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, child(part)])) }),
    ...(items && { items: child(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: additionalProperties && child(additionalProperties) }),
  }
}

/** OpenAPI has one type at most; where there are several, any of them. */
function typeOf(type, values) {
  if (Array.isArray(type)) return { anyOf: type.map((one) => ({ type: one })) }
  if (type !== undefined) return { type }
  return values === undefined ? {} : { type: typeof values[0] }
}
