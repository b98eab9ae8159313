import type { ResourceList } from '../../resource-list/resource-list.ts'
import { catalogConfig, requiredPairs } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems, refuseTwins } from '../edit-items.ts'
import { type FieldSpec, isOfSpecKind, kustomizePlaces, writePairs } from '../field-places.ts'
import { renamedFields } from '../kustomize-fields.ts'

/** Writes annotations into every object and every pod template. */
export const SET_ANNOTATIONS: CatalogFunction = {
  name: 'set-annotations',
  versions: ['v0.1.4'],
  at: () => setAnnotations,
}

function setAnnotations(list: ResourceList): void {
  const config = catalogConfig(list, { kinds: ['SetAnnotations', 'SetAnnotationConfig'] })
  const annotations = requiredPairs(config, 'annotations', 'must have an annotation')
  const fields = [...ANNOTATION_FIELDS, ...renamedFields(config, 'additionalAnnotationFields')]
  const items = mapItems(list)
  refuseTwins(items)
  editItems(items, (item) => {
    for (const field of fields.filter((each) => isOfSpecKind(item, each)))
      for (const place of kustomizePlaces(item, field)) writePairs(item, place, annotations)
  })
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
