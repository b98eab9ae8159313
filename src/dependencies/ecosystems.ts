import type { KrmObject } from '../resource-list/krm-object.ts'
import { CARVEL } from './carvel/carvel.ts'
import type { CarvelOptions } from './carvel/packages.ts'
import { CROSSPLANE } from './crossplane/crossplane.ts'
import type { CrossplaneOptions } from './crossplane/known.ts'
import { GLASSKUBE } from './glasskube/glasskube.ts'
import { PORCH } from './porch/porch.ts'
import type { Ecosystem, ReadOptions } from './reading/ecosystem.ts'
import { type GroupKind, isOneOf } from './reading/object-metadata.ts'
import { CUSTOM_RESOURCE_DEFINITION, definitionName } from './reading/served-kinds.ts'

/** The options of all readers, from the function config. */
export type EcosystemOptions = ReadOptions & CarvelOptions & CrossplaneOptions

/** The ecosystems whose packages are installed by objects. */
export const INSTALLING: readonly Ecosystem<EcosystemOptions>[] = [CARVEL, CROSSPLANE, GLASSKUBE]

/** Every ecosystem whose packages are read. */
export const ECOSYSTEMS: readonly Ecosystem<EcosystemOptions>[] = [...INSTALLING, PORCH]

/** Every kind whose objects define kinds. */
export const PACKAGE_DEFINITIONS: readonly GroupKind[] = [
  CUSTOM_RESOURCE_DEFINITION,
  ...ECOSYSTEMS.flatMap(({ definitions = [] }) => definitions),
]

/**
 * Returns the name of an object that only one package may bring, such as `CustomResourceDefinition NAME`; undefined for any other object.
 */
export function nameOfContent(object: KrmObject): string | undefined {
  if (isOneOf(object, [CUSTOM_RESOURCE_DEFINITION])) return definitionName(object)
  return ECOSYSTEMS.map((each) => each.contentName?.(object)).find((name) => name !== undefined)
}
