// Writes schemas/crds/KIND.yaml: the CustomResourceDefinition of each of our own kinds of a fleet, from its schema.
// Part of `npm run schemas`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { CRD_RULES } from './crd-rules.mjs'
import { ROOT } from './ready.mjs'

const HEADER = '# Written by npm run schemas, from the schema of the kind.\n'
const GROUP = 'fleet.krm-variants.dev'
const FOLDER = join(ROOT, 'schemas/crds')
/** The keywords that a structural schema has too. */
const KEPT = ['description', 'default', 'enum', 'minLength', 'minItems', 'minimum', 'pattern', 'required']

function definition(schema, version) {
  const kind = schema.properties.kind.const
  const singular = kind.toLowerCase()
  const plural = pluralOf(singular)
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: topLevel(schema) },
        },
      ],
    },
  }
}

/** `matrix` becomes `matrices`, `policy` becomes `policies`, every other name gets an s. */
function pluralOf(name) {
  if (name.endsWith('x')) return `${name.slice(0, -1)}ces`
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}

/** An API server knows metadata by itself, and refuses fields of metadata in a schema. */
function topLevel({ description, properties, required, definitions = {} }) {
  const { apiVersion, kind, metadata: _, ...others } = properties
  return {
    description,
    type: 'object',
    required: required.filter((name) => name in others),
    properties: {
      apiVersion: { description: apiVersion.description, type: 'string' },
      kind: { description: kind.description, type: 'string' },
      metadata: { type: 'object' },
      ...structuralProperties(others, { definitions, rules: CRD_RULES[kind.const] ?? {} }, ''),
    },
  }
}

function structuralProperties(properties, context, path) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [name, structural(child, context, path === '' ? name : `${path}.${name}`)]),
  )
}

/** The part of a schema that a structural schema has, with the rules of crd-rules.mjs for the place. */
function structural(part, context, path) {
  if (part.$ref !== undefined) return structural(context.definitions[part.$ref.split('/').at(-1)], context, path)
  return { ...structuralPart(part, context, path), ...context.rules[path] }
}

/**
 * One type at each place, no references. A list that may be written as its only entry is a list, and a field that nothing here reads keeps
 * whatever it has.
 */
function structuralPart(part, context, path) {
  const { type, properties, items, additionalProperties } = part
  const kept = keptKeywords(part, path)
  const types = Array.isArray(type) ? type : [type ?? (part.enum ? 'string' : undefined)]
  if (types.includes('integer') && types.includes('string')) return { ...kept, 'x-kubernetes-int-or-string': true }
  if (types.includes('array')) {
    const { required: _, ...ofList } = kept
    return { ...ofList, type: 'array', items: structural(items, context, `${path}[]`) }
  }
  if (types[0] !== 'object')
    return { ...kept, ...(types[0] === undefined ? { 'x-kubernetes-preserve-unknown-fields': true } : { type: types[0] }) }
  if (properties !== undefined) return { ...kept, type: 'object', properties: structuralProperties(properties, context, path) }
  if (typeof additionalProperties === 'object')
    return { ...kept, type: 'object', additionalProperties: structural(additionalProperties, context, `${path}{}`) }
  return { ...kept, type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
}

/**
 * Returns the keywords that a structural schema has too. A default in a template is left out: an API server would write it into every
 * layer.
 */
function keptKeywords(part, path) {
  const keywords = /\btemplate\b/.test(path) ? KEPT.filter((key) => key !== 'default') : KEPT
  return Object.fromEntries(keywords.filter((key) => part[key] !== undefined).map((key) => [key, part[key]]))
}

mkdirSync(FOLDER, { recursive: true })
for (const file of readdirSync(join(ROOT, 'schemas')).filter((name) => name.endsWith('.json'))) {
  const schema = JSON.parse(readFileSync(join(ROOT, 'schemas', file), 'utf8'))
  const [group, version] = schema.properties?.apiVersion?.const?.split('/') ?? []
  if (group !== GROUP) continue
  const text = HEADER + stringify(definition(schema, version), { lineWidth: 0, aliasDuplicateObjects: false })
  writeFileSync(join(FOLDER, file.replace(/\.json$/, '.yaml')), text)
}
