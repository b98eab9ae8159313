import { expect, test } from 'vitest'
import { closedMap } from '../schema/schema.ts'
import { MUTATORS, PIPELINE_FUNCTION, VALIDATORS } from './pipeline-schema.ts'
import { misfits } from './testing/misfits.ts'

const SELECTOR_IN_FULL = '{apiVersion: v1, kind: A, name: b, namespace: c, labels: {d: e}, annotations: {f: g}}'
const SELECTOR_OF_LISTS = '{apiVersion: [], kind: [], name: [], namespace: [], labels: [], annotations: []}'
const SELECTOR_FIELDS = ['apiVersion', 'kind', 'name', 'namespace', 'labels', 'annotations']

test.each([
  { reason: 'no field must be set', text: '{}', expected: [] },
  {
    reason: 'the fields of kpt.dev/v1 and of the newest PackageVariant CRD',
    text: `{image: a, exec: b, tag: c, name: d, configPath: e, configMap: {f: g}, configRef: {apiVersion: v1, kind: A, name: h, namespace: i}, selectors: [${SELECTOR_IN_FULL}], exclude: [${SELECTOR_IN_FULL}], when: j}`,
    expected: [],
  },
  {
    reason: 'the type of each field',
    text: '{image: [], exec: [], tag: [], name: [], configPath: [], configMap: [], configRef: [], selectors: {}, exclude: {}, when: []}',
    expected: ['image', 'exec', 'tag', 'name', 'configPath', 'configMap', 'configRef', 'selectors', 'exclude', 'when'].map(
      (field) => `${field} type`,
    ),
  },
  { reason: 'no other field', text: '{image: a, config: b}', expected: ['config additionalProperties'] },
  { reason: 'the values of a configMap are texts', text: '{configMap: {replicas: 3}}', expected: ['configMap.replicas type'] },
  {
    reason: 'a configRef must have a kind and a name',
    text: '{configRef: {}}',
    expected: ['configRef.kind required', 'configRef.name required'],
  },
  {
    reason: 'kind and name of a configRef must not be empty, group and namespace may be',
    text: '{configRef: {apiVersion: "", kind: "", name: "", namespace: ""}}',
    expected: ['configRef.kind minLength', 'configRef.name minLength'],
  },
  {
    reason: 'the type of each field of a configRef, and no other field',
    text: '{configRef: {apiVersion: [], kind: [], name: [], namespace: [], path: a}}',
    expected: [
      'configRef.apiVersion type',
      'configRef.kind type',
      'configRef.name type',
      'configRef.namespace type',
      'configRef.path additionalProperties',
    ],
  },
  ...['selectors', 'exclude'].flatMap((field) => [
    {
      reason: `the type of each field of ${field}`,
      text: `{${field}: [${SELECTOR_OF_LISTS}]}`,
      expected: SELECTOR_FIELDS.map((each) => `${field}[0].${each} type`),
    },
    { reason: `no other field in ${field}`, text: `{${field}: [{group: a}]}`, expected: [`${field}[0].group additionalProperties`] },
    {
      reason: `labels and annotations of ${field} are texts`,
      text: `{${field}: [{labels: {a: 1}, annotations: {b: 2}}]}`,
      expected: [`${field}[0].labels.a type`, `${field}[0].annotations.b type`],
    },
  ]),
])('a function of a pipeline: $reason', ({ text, expected }) => {
  expect(misfits(PIPELINE_FUNCTION, text)).toEqual(expected)
})

test('mutators and validators are lists', () => {
  const schema = closedMap({ mutators: MUTATORS, validators: VALIDATORS })
  expect(misfits(schema, '{mutators: [], validators: []}')).toEqual([])
  expect(misfits(schema, '{mutators: {}, validators: {}}')).toEqual(['mutators type', 'validators type'])
})
