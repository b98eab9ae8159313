import { DYN, listOf, mapOf, openRecordOf, recordOf, STRING, type Type } from '../cel/check/types.ts'
import type { VariableTypes } from '../cel/program.ts'
import { requiredTexts } from '../cel/reads.ts'
import type { ItemKind } from '../kinds/fleet-policy-schema.ts'
import { PACKAGE_VARIANT_SCHEMA } from '../kinds/package-variant-schema.ts'
import { typeOfSchema } from '../schema/type-of-schema.ts'

const TEXTS = mapOf(STRING, STRING)

/** An object as Kubernetes has it, of which no schema is known: every field may be there. */
const OBJECT = mapOf(STRING, DYN)

const METADATA = { name: STRING, namespace: STRING, labels: TEXTS, annotations: TEXTS }

/** An object that sets select, as the expressions of templates see it, and its kind. */
const TARGET_FIELDS = { apiVersion: STRING, kind: STRING, ...METADATA }
const TARGET = recordOf('target', TARGET_FIELDS)
const REPOSITORY = recordOf('repository', TARGET_FIELDS)

const VARIANT = recordOf('variant', {
  apiVersion: STRING,
  kind: STRING,
  metadata: recordOf('metadata', METADATA),
  spec: typeOfSchema(PACKAGE_VARIANT_SCHEMA.properties.spec, 'spec'),
  target: TARGET,
  repository: REPOSITORY,
  ring: STRING,
})

const PACKAGE = recordOf('package', {
  name: STRING,
  labels: TEXTS,
  annotations: TEXTS,
  repository: REPOSITORY,
  variant: VARIANT,
  objects: listOf(OBJECT),
})

/** The type of `item`, by what a policy looks at. */
const ITEMS: ReadonlyMap<string, Type> = new Map<ItemKind, Type>([
  ['targets', recordOf('target', { ...TARGET_FIELDS, variants: listOf(VARIANT) })],
  ['variants', VARIANT],
  ['packages', PACKAGE],
  ['objects', OBJECT],
])

/** Returns the type of the objects of a kind; undefined for a kind of which no schema is known. */
export type TypeOfKind = (apiVersion: string, kind: string) => Type | undefined

/** Returns the type of the objects that a policy looks at, if its condition lets only objects of one kind with a schema through. */
function objectsWhere(where: string | undefined, typeOfKind: TypeOfKind): Type | undefined {
  const required = where === undefined ? undefined : requiredTexts(where, 'item')
  const [apiVersion, kind] = [required?.get('apiVersion'), required?.get('kind')]
  const type = apiVersion === undefined || kind === undefined ? undefined : typeOfKind(apiVersion, kind)
  if (type?.fields === undefined || kind === undefined) return undefined
  const fields = { ...Object.fromEntries(type.fields), package: PACKAGE }
  return type.rest === undefined ? recordOf(kind, fields) : openRecordOf(kind, fields)
}

/** The variables that hold lists of the whole fleet. */
export const WHOLES = ['variants', 'packages', 'repositories'] as const

/**
 * Returns the types of the variables of a policy, without those that the policy itself names.
 *
 * @param forEach  what the policy looks at; `item` of anything unknown is dynamic
 * @param where  the condition of the policy: if it names one kind, objects have the type of the kind
 */
export function policyTypes(forEach: string, where: string | undefined, typeOfKind: TypeOfKind): VariableTypes {
  return new Map([
    ['item', (forEach === 'objects' ? objectsWhere(where, typeOfKind) : undefined) ?? ITEMS.get(forEach) ?? DYN],
    ['variants', listOf(VARIANT)],
    ['packages', listOf(PACKAGE)],
    ['repositories', listOf(recordOf('repository', { ...TARGET_FIELDS, variants: listOf(VARIANT) }))],
  ])
}
