import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Severity } from '../result.ts'
import { CARVEL } from './carvel/carvel.ts'
import type { CarvelOptions } from './carvel/options.ts'
import { CORE_RULES } from './core-rules.ts'
import { CROSSPLANE } from './crossplane/crossplane.ts'
import type { CrossplaneOptions } from './crossplane/options.ts'
import { GLASSKUBE } from './glasskube/glasskube.ts'
import { PORCH } from './porch/porch.ts'
import { CUSTOM_RESOURCE_DEFINITION, definitionName } from './reading/definitions.ts'
import type { Ecosystem, ReadOptions } from './reading/ecosystem.ts'
import { type GroupKind, isOneOf } from './reading/object-identity.ts'

/** What the function config says about how everything is read. */
export type EcosystemOptions = ReadOptions & CarvelOptions & CrossplaneOptions

/** The systems whose packages are installed by objects. */
export const INSTALLING: readonly Ecosystem<EcosystemOptions>[] = [CARVEL, CROSSPLANE, GLASSKUBE]

/** Every system whose packages are read. */
export const ECOSYSTEMS: readonly Ecosystem<EcosystemOptions>[] = [...INSTALLING, PORCH]

/** Every rule with the severity that it has when nothing else is said (docs/rules.md). */
export const RULE_SEVERITIES: ReadonlyMap<string, Severity> = new Map(
  [CORE_RULES, ...ECOSYSTEMS.map(({ rules }) => rules)].flatMap((rules) => Object.entries(rules)),
)

/** Every kind whose objects define kinds. */
export const PACKAGE_DEFINITIONS: readonly GroupKind[] = [
  CUSTOM_RESOURCE_DEFINITION,
  ...ECOSYSTEMS.flatMap(({ definitions = [] }) => definitions),
]

/** How an object is called that only one package may bring; undefined for kinds that are nobody's alone. */
export function nameOfContent(object: KrmObject): string | undefined {
  if (isOneOf(object, [CUSTOM_RESOURCE_DEFINITION])) return definitionName(object)
  return ECOSYSTEMS.map((each) => each.contentName?.(object)).find((name) => name !== undefined)
}
