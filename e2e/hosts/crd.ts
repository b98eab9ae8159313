import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parseAllDocuments } from 'yaml'

/** A value that the API server would refuse or drop. */
export interface CrdFault {
  /** Keys from the top of the object. */
  readonly path: readonly string[]
  readonly message: string
}

/** Says what an API server with the given CRDs would refuse or drop; nothing for kinds that they do not define. */
export type CrdCheck = (object: object) => CrdFault[]

interface OpenApiSchema {
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly items?: OpenApiSchema
  readonly additionalProperties?: OpenApiSchema | boolean
}

interface Crd {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: OpenApiSchema } }[]
  }
}

/** Compiles the schemas of every CustomResourceDefinition in a folder. */
export function readCrds(folder: string): CrdCheck {
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false, formats: { 'date-time': true, int64: true, int32: true } })
  const documents = readdirSync(folder).flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
  const crds = documents.map((document) => document.toJS()).filter((object) => object?.kind === 'CustomResourceDefinition')
  const versions = crds.flatMap(({ spec }: Crd) =>
    spec.versions.map((version) => ({ type: `${spec.group}/${version.name} ${spec.names.kind}`, version })),
  )
  const validators = new Map(versions.map(({ type, version }) => [type, ajv.compile(refuseUnknown(version.schema.openAPIV3Schema))]))
  return (object) => {
    const validate = validators.get(`${Reflect.get(object, 'apiVersion')} ${Reflect.get(object, 'kind')}`)
    if (validate === undefined || validate(object)) return []
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) => ({
      path: [...instancePath.split('/').slice(1), ...(params.additionalProperty === undefined ? [] : [params.additionalProperty])],
      message,
    }))
  }
}

/** An API server drops fields that the schema does not have. Metadata is its own matter, and has no properties in a CRD. */
function refuseUnknown(schema: OpenApiSchema): OpenApiSchema {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, refuseUnknown(child)])) }),
    ...(items && { items: refuseUnknown(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: refuseUnknown(additionalProperties) }),
    ...(properties !== undefined && additionalProperties === undefined && { additionalProperties: false }),
  }
}
