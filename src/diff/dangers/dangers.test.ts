import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SHARED_MUST_BE_THERE } from '../../../testdata/shared-folder.ts'
import { readPackageFile } from '../../folder/read-package-file.ts'
import { isRecord, type JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { DangerRecord, ObjectStates } from '../../rules/danger-record.ts'
import { DANGERS } from '../../rules/generated/dangers.ts'
import { fieldChanges } from '../field-changes.ts'
import type { DangerousChange } from './danger-rule.ts'
import { DANGER_RULES, dangersOf, WIDE_CHANGE } from './dangers.ts'

test('every danger has a record, in the order of the records', () => {
  expect(Object.keys(DANGERS)).toEqual([...DANGER_RULES.map(({ id }) => id), WIDE_CHANGE])
  const notices = Object.entries(DANGERS).filter(([, record]) => 'severity' in record)
  expect(notices.map(([id]) => id)).toEqual(DANGER_RULES.filter(({ severity }) => severity === 'notice').map(({ id }) => id))
})

/** Returns a change of the first object of each state; further objects are others of the package. */
function changeOf(states: ObjectStates): DangerousChange {
  const old: readonly JsonRecord[] = [states.before ?? []].flat()
  const present: readonly JsonRecord[] = [states.after ?? []].flat()
  const [was, is] = [old[0], present[0]]
  const isRenamed = was !== undefined && is !== undefined && nameOf(was) !== nameOf(is)
  const op = was === undefined ? 'create' : is === undefined ? 'delete' : isRenamed ? 'rename' : 'change'
  const fields = was && is ? fieldChanges(was, is) : []
  return {
    op,
    fields,
    ...(was && { before: was }),
    ...(is && { after: is }),
    objects: () => ({ before: old, after: present }),
    kubernetesVersion: '1.37',
  }
}

const nameOf = ({ metadata }: JsonRecord) => isRecord(metadata) && metadata.name

const rulesOf = (states: ObjectStates) => dangersOf(changeOf(states)).map(({ rule }) => rule)

test.each(Object.entries<DangerRecord>(DANGERS))(
  '%s is found in each of its forms, and not in what is nearly one',
  (id, { dangerous, safe }) => {
    expect(dangerous.filter((states) => !rulesOf(states).some((rule) => rule === id))).toEqual([])
    expect(safe.filter((states) => rulesOf(states).some((rule) => rule === id))).toEqual([])
    expect(dangerous.length > 0 && safe.length > 0).toBe(id !== WIDE_CHANGE)
  },
)

test('a subject of cluster-admin is wider access', () => {
  const binding = (subjects: string) =>
    `{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [${subjects}]}`
  const states: ObjectStates = { before: parse(binding('')), after: parse(binding('{kind: User, name: ada}')) }
  expect(dangersOf(changeOf(states))).toMatchObject([{ rule: 'wider-access', path: 'subjects[ada]' }])
})

test('the path of a danger of a container without a name has the position of the container, as that of the change', () => {
  const service = (container: string) =>
    `{kind: Service, apiVersion: serving.knative.dev/v1, metadata: {name: a}, spec: {template: {spec: {containers: [${container}]}}}}`
  const change = changeOf({
    before: parse(service('{image: a}')),
    after: parse(service('{image: a, securityContext: {privileged: true}}')),
  })
  expect(change.fields).toMatchObject([{ path: 'spec.template.spec.containers[0].securityContext' }])
  expect(dangersOf(change)).toMatchObject([{ rule: 'privileged', path: 'spec.template.spec.containers[0]' }])
})

// Manifests of public repositories. They are not part of this repository.
const REAL = '../shared/real'

test.runIf(SHARED_MUST_BE_THERE || existsSync(REAL))('no object of real manifests is dangerous when it does not change', () => {
  const files = readdirSync(REAL, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
  const objects = files.flatMap((path) => readPackageFile(path, readFileSync(join(REAL, path))).file?.documents ?? [])
  const isPlain = (each: KrmObject) => each.aliases().length === 0 && each.duplicateKeys().length === 0
  const values = objects.flatMap(({ object: each }) => (each !== undefined && isPlain(each) ? [each.toJson()] : []))
  expect(values.length).toBeGreaterThan(500)
  const found = values.flatMap((value) => dangersOf({ op: 'change', before: value, after: value, fields: fieldChanges(value, value) }))
  expect(found).toEqual([])
  expect(values.flatMap((value) => dangersOf({ op: 'create', after: value, fields: [] })).length).toBeGreaterThan(10)
})

test('a volume claim may change its volumeAttributesClassName', () => {
  const claim = (fields: string) => `{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {${fields}}}`
  const rules = (before: string, after: string) => rulesOf({ before: parse(claim(before)), after: parse(claim(after)) })
  expect(rules('volumeAttributesClassName: slow', 'volumeAttributesClassName: fast')).toEqual([])
  expect(rules('storageClassName: slow', 'storageClassName: fast')).toEqual(['immutable-volume-claim'])
})

test('what the containers of a suspended Job take may change since Kubernetes 1.36', () => {
  const job = (cpu: number) =>
    `{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {suspend: true, template: {spec: {containers: [{name: a, resources: {requests: {cpu: ${cpu}}}}]}}}}`
  const change = changeOf({ before: parse(job(1)), after: parse(job(2)) })
  const rulesIn = (kubernetesVersion: string) => dangersOf({ ...change, kubernetesVersion }).map(({ rule }) => rule)
  expect([rulesIn('1.35'), rulesIn('v1.36.1')]).toEqual([['immutable-job'], []])
})

/** Returns the beginnings of the words of a phrase. */
const beginnings = (phrase: string) => phrase.split(/[^A-Za-z]+/).map((word) => word.slice(0, 4))

test('the phrases of a danger for one and for many have the same words, and its text is a sentence', () => {
  for (const { id, nouns, text } of DANGER_RULES) {
    const [one, many] = nouns.map(beginnings)
    const shared = (one ?? []).filter((word) => many?.includes(word))
    expect([id, nouns[0] !== nouns[1], shared.length * 2 >= (one?.length ?? 0)]).toEqual([id, true, true])
    expect(text.split(' ').length).toBeGreaterThan(3)
  }
})

test.each([
  ['till', true],
  ['till:latest', true],
  ['registry:5000/till', true],
  ['registry:5000/till:latest', true],
  ['till:v1', false],
  ['registry:5000/till:v1', false],
  ['till@sha256:aa', false],
  ['till:latest@sha256:aa', false],
  ['', false],
])('the image %j that comes has no fixed tag: %s', (image, isFloating) => {
  const pod = (containers: string) => parse(`{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {containers: [${containers}]}}`)
  const at = (before: string) =>
    dangersOf(changeOf({ before: pod(before), after: pod(`{name: c, image: '${image}'}`) })).flatMap(({ rule, path }) =>
      rule === 'floating-image' ? [path] : [],
    )
  expect(at('')).toEqual(isFloating ? ['spec.containers[c].image'] : [])
  expect(at(`{name: other, image: '${image}'}`)).toEqual([])
})
