import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../../json.ts'
import { isLocalConfig, LOCAL_CONFIG } from '../../resource-list/applied-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { catalogConfig, missingConfig, textPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems } from '../edit-items.ts'
import { type FieldSpec, fieldPlaces, isOfSpecKind, wrongType } from '../field-places.ts'
import { CONTROLLER, kustomizeLabels, NETWORK_POLICY_KIND } from './kustomize-labels.ts'

/** Writes labels into every object, and into the selectors and templates of built-in kinds. */
export const SET_LABELS: CatalogFunction = {
  name: 'set-labels',
  versions: ['v0.2.1', 'v0.2.0', 'v0.1.5'],
  at: (version) => (version === 'v0.1.5' ? kustomizeLabels : setLabels),
}

function setLabels(list: ResourceList): void {
  const labels = labelsOf(list)
  // A search is quicker than reading the annotations of each item.
  const items = mapItems(list).filter((item) => !item.mayHold(LOCAL_CONFIG) || !isLocalConfig(item))
  const { results } = list
  if (items.length === 0) results.push({ severity: 'info', message: 'no input resources', tags: { rule: 'set-labels' } })
  else if (labels.size === 0)
    results.push({ severity: 'warning', message: 'no `labels` arguments are given in FunctionConfig', tags: { rule: 'no-labels' } })
  else results.push({ severity: 'info', message: `set ${writeAll(items, labels)} labels in total`, tags: { rule: 'set-labels' } })
}

/** Writes the labels into all objects. Returns the number of labels times the number of maps, changed or not. */
function writeAll(items: readonly KrmObject[], labels: ReadonlyMap<string, string>): number {
  let count = 0
  editItems(items, (item) => {
    const fields = LABEL_FIELDS.filter((each) => isOfSpecKind(item, each))
    // Most objects get a label: the nodes that an edit of `spec` needs give the values too.
    if (fields.length > 1) item.written()
    const maps = fields.flatMap((field) =>
      placesOf(item, field.path).map((place) => ({ place, missing: missingLabels(item, place, field, labels) })),
    )
    // From the last one: with an edit of `metadata` pending, `spec` would be read apart.
    for (const { place, missing } of maps.reverse()) for (const [key, value] of missing) item.set([...place, key], value)
    count += maps.length * labels.size
  })
  return count
}

/**
 * Returns the labels of the functionConfig.
 *
 * @throws FunctionError  when there is no functionConfig, or only kpt's empty one; as `catalogConfig` and `textPairs`
 */
function labelsOf(list: ResourceList): ReadonlyMap<string, string> {
  const config = catalogConfig(list, { kinds: ['SetLabels'], isOwnApi: (apiVersion) => apiVersion.startsWith('fn.kpt.dev/') })
  if (config.kind !== 'ConfigMap') return textPairs(config, ['labels'], false)
  const labels = textPairs(config, ['data'], true)
  if (config.name !== 'function-input' || labels.size > 0) return labels
  throw missingConfig(['ConfigMap', 'SetLabels'])
}

/** A field that holds a map of labels. */
interface LabelField extends Pick<FieldSpec, 'group' | 'version' | 'kind'> {
  /** The path, as in a FieldSpec; the part before `//` must exist in the object. */
  readonly path: string
  /** If true, labels are added; if false, only existing labels change: the selected objects may lack new ones. */
  readonly adds: boolean
}

/** Returns the label fields of a pod template and of its topology spread constraints. */
function podTemplate(kinds: readonly Pick<FieldSpec, 'group' | 'version' | 'kind'>[], at: string): readonly LabelField[] {
  return kinds.flatMap((kind) => [
    { ...kind, path: `${at}//metadata/labels`, adds: true },
    { ...kind, path: `${at}/spec/topologySpreadConstraints[]//labelSelector/matchLabels`, adds: false },
  ])
}

const WORKLOADS: readonly Pick<FieldSpec, 'group' | 'kind'>[] = [
  { kind: 'Deployment' },
  { kind: 'ReplicaSet' },
  { kind: 'DaemonSet' },
  { group: 'apps', kind: 'StatefulSet' },
]
const SERVICE = { version: 'v1', kind: 'Service' }
const JOB = { group: 'batch', kind: 'Job' }
const CRON_JOB = { group: 'batch', kind: 'CronJob' }
const VOLUME_CLAIMS = { group: 'apps', kind: 'StatefulSet', path: 'spec/volumeClaimTemplates[]//metadata/labels', adds: true }

const LABEL_FIELDS: readonly LabelField[] = [
  { path: '//metadata/labels', adds: true },
  { ...SERVICE, path: '//spec/selector', adds: true },
  { ...CONTROLLER, path: '//spec/selector', adds: true },
  ...WORKLOADS.map((kind) => ({ ...kind, path: '//spec/selector/matchLabels', adds: true })),
  ...podTemplate([...WORKLOADS, CONTROLLER, JOB], 'spec/template'),
  // Twice, since the catalog's function counts these labels twice.
  VOLUME_CLAIMS,
  VOLUME_CLAIMS,
  { ...JOB, path: '//spec/selector/matchLabels', adds: false },
  { ...CRON_JOB, path: 'spec/jobTemplate//metadata/labels', adds: true },
  { ...CRON_JOB, path: 'spec/jobTemplate//spec/selector/matchLabels', adds: false },
  ...podTemplate([CRON_JOB], 'spec/jobTemplate/spec/template'),
  { group: 'policy', kind: 'PodDisruptionBudget', path: '//spec/selector/matchLabels', adds: false },
  { ...NETWORK_POLICY_KIND, path: '//spec/podSelector/matchLabels', adds: false },
  { ...NETWORK_POLICY_KIND, path: 'spec/ingress[]/from[]//podSelector/matchLabels', adds: false },
  { ...NETWORK_POLICY_KIND, path: 'spec/egress[]/to[]//podSelector/matchLabels', adds: false },
]

/** Returns the labels that the map at a place must get. */
function missingLabels(
  item: KrmObject,
  place: FieldPath,
  { adds }: LabelField,
  labels: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const map = valueAt(item, place)
  if (!isRecord(map)) throw wrongType(item, place, 'a map', map)
  for (const [key, value] of Object.entries(map)) if (typeof value !== 'string') throw wrongType(item, [...place, key], 'a string', value)
  return [...labels].filter(([key, value]) => {
    const old = lookup(map, key)
    return old !== value && (adds || old !== undefined)
  })
}

function placesOf(item: KrmObject, path: string): readonly FieldPath[] {
  const [holder = '', made = ''] = path.split('//')
  if (holder === '') return fieldPlaces(item, { path: made, create: true })
  return fieldPlaces(item, { path: holder, create: false }).map((place) => [...place, ...made.split('/')])
}

/** Returns the map at a place: {} if it is missing, null if the place holds null. */
function valueAt(item: KrmObject, place: FieldPath): JsonValue {
  const value = item.get(place)
  return value === undefined ? {} : value
}
