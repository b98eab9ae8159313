import type { KrmObject } from '../../resource-list/krm-object.ts'
import { textAt } from './field.ts'
import { type GroupKind, isOneOf } from './object-identity.ts'

/** The kind that defines kinds. */
export const CUSTOM_RESOURCE_DEFINITION: GroupKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }

/** Returns the objects whose kind is one of the given definitions. */
export function definitionsAmong(objects: readonly KrmObject[], definitions: readonly GroupKind[]): KrmObject[] {
  return objects.filter((object) => isOneOf(object, definitions))
}

/** Returns the name of a definition as packages bring it, `CustomResourceDefinition NAME`; undefined for an object without a name. */
export function definitionName({ name }: KrmObject): string | undefined {
  return name === undefined ? undefined : `CustomResourceDefinition ${name}`
}

/** Returns the kinds that a definition makes the cluster serve, in each served version; claims are kinds, too. */
export function definedKinds(object: KrmObject): { apiVersion: string; kind: string }[] {
  const group = textAt(object, 'spec', 'group')
  const kinds = [textAt(object, 'spec', 'names', 'kind'), textAt(object, 'spec', 'claimNames', 'kind')].filter((kind) => kind !== '')
  const served = servedVersions(object)
  return served.flatMap((version) => kinds.map((kind) => ({ apiVersion: `${group}/${version}`, kind })))
}

// Version by version: the schemas beside the names are long.
function servedVersions(object: KrmObject): string[] {
  const names: string[] = []
  for (let i = 0; object.get(['spec', 'versions', i, 'name']) !== undefined; i++) {
    if (object.get(['spec', 'versions', i, 'served']) !== false) names.push(textAt(object, 'spec', 'versions', i, 'name'))
  }
  return names
}

/** Groups and kinds that some definitions define, as `GROUP KIND`. */
export function definedGroupKinds(definitions: readonly KrmObject[]): ReadonlySet<string> {
  return new Set(
    definitions.flatMap((object) =>
      ['names', 'claimNames'].map((names) => `${textAt(object, 'spec', 'group')} ${textAt(object, 'spec', names, 'kind')}`),
    ),
  )
}
