import type { FieldPath } from '../../field-path.ts'
import { isRecord, lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import { catalogConfig, textPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems, refuseTwins } from '../edit-items.ts'
import { type FieldSpec, fieldPlaces, isOfSpecKind, wrongType } from '../field-places.ts'
import { renamedFields } from '../kustomize-fields.ts'

/** Writes annotations into every object and every pod template. */
export const SET_ANNOTATIONS: CatalogFunction = {
  name: 'set-annotations',
  versions: ['v0.1.4'],
  at: () => setAnnotations,
}

function setAnnotations(list: ResourceList): void {
  const config = catalogConfig(list, { kinds: ['SetAnnotations', 'SetAnnotationConfig'] })
  const annotations = annotationsOf(config)
  const fields = [...ANNOTATION_FIELDS, ...renamedFields(config, 'additionalAnnotationFields')]
  const items = mapItems(list)
  refuseTwins(items)
  editItems(items, (item) => {
    for (const field of fields.filter((each) => isOfSpecKind(item, each)))
      for (const place of fieldPlaces(item, field)) writeAnnotations(item, place, annotations)
  })
}

function annotationsOf(config: KrmObject): ReadonlyMap<string, string> {
  const path = config.kind === 'ConfigMap' ? ['data'] : ['annotations']
  const annotations = textPairs(config, path, true)
  if (annotations.size > 0) return annotations
  throw new FunctionError([faultToResult(config, { severity: 'error', rule: 'required', path, message: 'must have an annotation' })])
}

const POD_TEMPLATE = { path: 'spec/template/metadata/annotations', create: true }
const CRON_JOB = { group: 'batch', kind: 'CronJob', create: true }

const ANNOTATION_FIELDS: readonly FieldSpec[] = [
  { path: 'metadata/annotations', create: true },
  ...['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].map((kind) => ({ ...POD_TEMPLATE, kind })),
  { ...POD_TEMPLATE, version: 'v1', kind: 'ReplicationController' },
  { ...POD_TEMPLATE, group: 'batch', kind: 'Job' },
  { ...CRON_JOB, path: 'spec/jobTemplate/metadata/annotations' },
  { ...CRON_JOB, path: 'spec/jobTemplate/spec/template/metadata/annotations' },
]

/** Writes the annotations into one map; a missing map or null counts as an empty map. */
function writeAnnotations(item: KrmObject, place: FieldPath, annotations: ReadonlyMap<string, string>): void {
  const map = item.get(place) ?? {}
  if (!isRecord(map)) throw wrongType(item, place, 'a map', map)
  for (const [key, value] of annotations) if (lookup(map, key) !== value) item.set([...place, key], value)
}
