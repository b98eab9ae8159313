import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { fieldAt } from '../reading/field.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { currentRevisionName } from './revisions.ts'
import { clusterKey } from './roles.ts'
import { digest, objectOf, packageObject, read, revisionObject } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const NAME = currentRevisionName('helm', digest('a'), undefined)
const PREFIX = `crossplane:provider:${NAME}:`

/** Returns the names and rules of the ClusterRoles that are made, with what the step says, beside objects of the cluster. */
function rolesMade(brings: readonly string[], beside: readonly KrmObject[] = []) {
  const names = brings.map((name) => ({ kind: 'CustomResourceDefinition', name }))
  const catalog = [{ id: HELM, versions: [{ version: 'v1.0.0', digest: digest('a'), dependencies: [], brings: names }] }]
  const revision = revisionObject('helm', NAME, { image: `${HELM}:v1.0.0`, revision: 1, desiredState: 'Active' }, { uid: 'u' })
  const objects = [packageObject('helm', `${HELM}:v1.0.0`), revision, ...beside]
  const done = read(objects, catalog, { crossplaneVersion: 'v2.3.4' }).controller?.reconcile?.(NO_KINDS)
  const step = done?.clusterSteps?.find(({ what }) => / ClusterRoles? /.test(what))
  const roles = (step?.edits ?? []).map((edit) =>
    edit.type === 'add' ? { name: fieldAt(objectOf(edit.object), ['metadata', 'name']).value, rules: edit.object.rules } : edit.type,
  )
  return { what: step?.what, roles }
}

const rule = (verbs: readonly string[], group: string, ...plurals: readonly string[]) => ({
  apiGroups: [group],
  resources: plurals.flatMap((plural) => [plural, `${plural}/status`]),
  verbs,
})
const VIEW = ['get', 'list', 'watch']
const SYSTEM = ['get', 'list', 'watch', 'update', 'patch', 'create']

// The verbs of Crossplane's internal/controller/rbac/provider/roles/roles.go.
test('a Provider gets roles to edit, to view and to run, one rule for each group', () => {
  const { roles } = rolesMade(['releases.helm.example.org', 'charts.helm.example.org', 'buckets.s3.example.org'])
  const rules = (verbs: readonly string[]) => [
    rule(verbs, 'helm.example.org', 'releases', 'charts'),
    rule(verbs, 's3.example.org', 'buckets'),
  ]
  expect(roles).toEqual([
    { name: `${PREFIX}aggregate-to-edit`, rules: rules(['*']) },
    { name: `${PREFIX}aggregate-to-view`, rules: rules(VIEW) },
    { name: `${PREFIX}system`, rules: rules(SYSTEM) },
  ])
})

test('a role that is there is not made again, and a Provider without kinds gets none', () => {
  const there = ['aggregate-to-edit', 'system'].map((suffix) =>
    objectOf({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: `${PREFIX}${suffix}` } }),
  )
  expect(rolesMade(['a.example.org'], there)).toEqual({
    what: `1 ClusterRole of ${PREFIX.slice(0, -1)} is made: aggregate-to-view`,
    roles: [{ name: `${PREFIX}aggregate-to-view`, rules: [rule(VIEW, 'example.org', 'a')] }],
  })
  expect(rolesMade([])).toEqual({ what: undefined, roles: [] })
})

test('objects of one name in two namespaces are two', () => {
  expect(clusterKey('Service', 'a', 'b')).not.toBe(clusterKey('Service', 'b', 'b'))
  expect(clusterKey('Service', undefined, 'b')).not.toBe(clusterKey('Deployment', undefined, 'b'))
})
