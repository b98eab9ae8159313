import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { readFleet } from '../fleet.ts'
import { planOf, repository, resourceListOf, setOf } from '../testing/fleet-of-objects.ts'
import { whyNoneOfKind } from './no-match.ts'

const custom = (name: string, labels: JsonRecord = {}, more: JsonRecord = {}): JsonRecord => ({
  apiVersion: 'example.com/v1',
  kind: 'Cluster',
  metadata: { name, labels, ...more },
})

/** Returns the reason why a target matches nothing of the list; undefined if it matches. */
function whyNone(target: JsonRecord, ...objects: readonly JsonRecord[]): string | undefined {
  const set = setOf([{ ...target, template: { downstream: { repoExpr: "'r'" } } }])
  const found = planOf([set, ...objects]).results.find(({ tags }) => tags.rule === 'no-match')
  return found?.message.replace(/^.*of the list: /, '')
}

const ofKind = (selector: JsonRecord, apiVersion = 'example.com/v1'): JsonRecord => ({
  objectSelector: { apiVersion, kind: 'Cluster', ...selector },
})
const labelled = (matchLabels: JsonRecord): JsonRecord => ({ repositorySelector: { matchLabels } })

test('a target that matches has no reason', () => {
  expect(whyNone(ofKind({}), custom('a'))).toBeUndefined()
  expect(whyNone(labelled({ env: 'prod' }), repository('a', { env: 'prod' }))).toBeUndefined()
})

test('placeholders inside packages are no match, whatever else is said of them', () => {
  const placeholder = custom('hole', {}, { annotations: { 'kpt.dev/config-injection': 'required' } })
  expect(whyNone(ofKind({}), placeholder)).toBe('all that match are placeholders inside packages')
  expect(whyNone(ofKind({}), placeholder, custom('a'))).toBeUndefined()
})

test.each([
  ['a kind that the list lacks', ofKind({}), [], "it has no kind 'Cluster' of 'example.com/v1'"],
  [
    'a kind of another group',
    ofKind({}),
    [{ ...custom('a'), apiVersion: 'other.com/v1' }],
    "it has no kind 'Cluster' of 'example.com/v1', but of another group",
  ],
  [
    'another namespace',
    ofKind({}),
    [custom('a', {}, { namespace: 'x' }), custom('b', {}, { namespace: 'x' })],
    "none is in namespace 'default'; 2 in 'x'",
  ],
  ['a name that no object has', ofKind({ name: 'on' }), [custom('one')], "none is named 'on'; did you mean 'one'?"],
  [
    'a label that no object has',
    labelled({ evn: 'prod' }),
    [repository('a', { env: 'prod' })],
    "none has the label 'evn'; did you mean 'env'?",
  ],
  [
    'a label where objects have others',
    labelled({ zone: 'a' }),
    [repository('a', { env: 'prod' })],
    "none has the label 'zone'; the label is 'env'",
  ],
  ['a label where objects have none', labelled({ zone: 'a' }), [repository('a')], "none has the label 'zone', or any other"],
  [
    'a value that no object has',
    labelled({ env: 'prodd' }),
    [repository('a', { env: 'prod' })],
    "none meets env=prodd; 'env' has the value 'prod'; did you mean 'prod'?",
  ],
  [
    'two values',
    labelled({ env: 'xx' }),
    [repository('a', { env: 'prod' }), repository('b', { env: 'dev' })],
    "'env' has the values 'dev', 'prod'",
  ],
  [
    'two clauses that no object meets together',
    labelled({ env: 'prod', zone: 'a' }),
    [repository('a', { env: 'prod', zone: 'b' }), repository('b', { env: 'dev', zone: 'a' })],
    'none meets env=prod and zone=a together',
  ],
])('for %s the reason is reported', (_what, target, objects, why) => {
  expect(whyNone(target, ...objects)).toContain(why)
})

test('another version is reported with what serves it', () => {
  expect(whyNone(ofKind({}, 'example.com/v2'), custom('a'))).toContain("no CustomResourceDefinition that serves 'example.com/v2'")
  const definition: JsonRecord = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'clusters.example.com' },
    spec: { group: 'example.com', names: { kind: 'Cluster' }, versions: [{ name: 'v1', served: true }] },
  }
  expect(whyNone(ofKind({}, 'example.com/v2'), custom('a'), definition)).toContain("that serves 'v1' only")
})

const placeholderOf = (name: string, more: JsonRecord = {}) =>
  custom(name, {}, { annotations: { 'kpt.dev/config-injection': 'required' }, ...more })

test.each<[string, readonly JsonRecord[], string | undefined]>([
  ['an object of it', [custom('a')], undefined],
  ['an object of it beside a placeholder', [placeholderOf('hole'), custom('a')], undefined],
  ['objects of another kind', [repository('a')], "it has no kind 'Cluster' of 'example.com/v1'"],
  [
    'a kind with nearly its name',
    [{ ...custom('a'), kind: 'Clusters' }],
    "it has no kind 'Cluster' of 'example.com/v1'; did you mean 'Clusters'?",
  ],
  ['a list of the kind', [{ ...custom('a'), kind: 'ClusterList' }], "it has no kind 'Cluster' of 'example.com/v1'"],
  ['an object without a name', [custom('')], "it has no kind 'Cluster' of 'example.com/v1' with a name"],
  [
    'objects in two other namespaces',
    [custom('a', {}, { namespace: 'x' }), custom('b', {}, { namespace: 'y' }), custom('c', {}, { namespace: 'x' })],
    "none is in namespace 'default'; 2 in 'x', 1 in 'y'",
  ],
  ['a placeholder there', [placeholderOf('hole')], "all in namespace 'default' are placeholders inside packages"],
  [
    'a placeholder there, and an object in another namespace',
    [placeholderOf('hole'), custom('a', {}, { namespace: 'x' })],
    "all in namespace 'default' are placeholders inside packages",
  ],
  [
    'another version',
    [{ ...custom('a'), apiVersion: 'example.com/v2' }],
    "it has 1 of 'example.com/v2', and no CustomResourceDefinition that serves 'example.com/v1'",
  ],
])('a list with %s has a reason to have none of a kind in the namespace, or is without one', (_, objects, why) => {
  const fleet = readFleet(resourceListOf(objects).items)
  expect(whyNoneOfKind({ apiVersion: 'example.com/v1', kind: 'Cluster' }, { fleet, namespace: 'default' })).toBe(why)
})

test('a target whose labels no placeholder has is not sent to the namespace of the placeholder', () => {
  const target = ofKind({ matchLabels: { env: 'prod' } })
  expect(whyNone(target, placeholderOf('hole'))).toBe("all in namespace 'default' are placeholders inside packages")
})
