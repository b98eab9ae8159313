import { compareText } from '../../field-path.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { definedKinds } from '../crossplane/contents.ts'
import type { ServedKinds, WantedKind } from '../universe.ts'
import { textAt } from './field.ts'
import type { ProvidedKind } from './front-end.ts'
import { isOfKind } from './object-kind.ts'

/** An API the user says the cluster serves. */
export interface GivenApi {
  readonly apiVersion: string
  readonly kind: string
}

// Groups that every API server serves itself, whatever the version.
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
])

export function isBuiltInGroup(group: string): boolean {
  return BUILT_IN_GROUPS.has(group)
}

/** Which kinds are served: built-in ones, those the user names, those that definitions and installed packages bring. */
export function servedKinds(objects: readonly KrmObject[], apis: readonly GivenApi[], provided: readonly ProvidedKind[]): ServedKinds {
  const definitions = objects.filter(isDefinition)
  const served = new Set([...apis, ...definitions.flatMap(definedKinds), ...provided.filter(({ installed }) => installed)].map(kindKey))
  const names = new Set(definitions.map(({ name }) => name ?? ''))
  return {
    serves: (wanted) =>
      'definition' in wanted ? names.has(wanted.definition) : isBuiltInGroup(groupOf(wanted.apiVersion)) || served.has(kindKey(wanted)),
    providersOf: (wanted) => [...new Set(provided.filter((each) => provides(each, wanted)).map(({ by }) => by))].sort(compareText),
  }
}

function provides(each: ProvidedKind, wanted: WantedKind): boolean {
  return 'apiVersion' in wanted && kindKey(each) === kindKey(wanted)
}

const CRD_GROUPS: ReadonlySet<string> = new Set(['apiextensions.k8s.io'])
const XRD_GROUPS: ReadonlySet<string> = new Set(['apiextensions.crossplane.io'])

function isDefinition(object: KrmObject): boolean {
  return isOfKind(object, 'CustomResourceDefinition', CRD_GROUPS) || isOfKind(object, 'CompositeResourceDefinition', XRD_GROUPS)
}

/** Groups and kinds that the definitions among some objects define, as `GROUP KIND`. */
export function definedGroupKinds(objects: readonly KrmObject[]): ReadonlySet<string> {
  return new Set(
    objects
      .filter(isDefinition)
      .flatMap((object) =>
        ['names', 'claimNames'].map((names) => `${textAt(object, 'spec', 'group')} ${textAt(object, 'spec', names, 'kind')}`),
      ),
  )
}

function kindKey({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion} ${kind}`
}
