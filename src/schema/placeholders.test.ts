import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { mayHoldPlaceholder, placeholderFaults, placeholderKeyFaults } from './placeholders.ts'
import type { Schema } from './schema.ts'

const SCHEMA: Schema = { properties: { spec: { properties: { expr: { type: 'string', format: 'cel' }, text: { type: 'string' } } } } }

/** Returns the faults of all scalars of an object, each with its field. */
function faultsOf(text: string): readonly string[] {
  const object = KrmObject.fromDocument(text)
  const root = object.toJson()
  return object
    .scalars()
    .flatMap((scalar) =>
      placeholderFaults({ object, schema: SCHEMA, root }, scalar.path, scalar.text).map(
        ({ severity, path, message }) => `${severity} ${path.join('/')} ${message.replace('must not hold a placeholder', '…')}`,
      ),
    )
}

test.each([
  { text: '${NAME}', expected: true },
  { text: 'a$b', expected: true },
  { text: '{{ a }}', expected: true },
  { text: '{ a }', expected: false },
  { text: '', expected: false },
])('the text $text may hold a placeholder: $expected', ({ text, expected }) => {
  expect(mayHoldPlaceholder(text)).toBe(expected)
})

const OF_A_VALUE = '… that nothing here replaces, got'

test.each([
  { value: '${NAME}', found: "'${NAME}'" },
  { value: 'a-${NAME}-$other', found: "'${NAME}', '$other'" },
  { value: '${A} ${A}', found: "'${A}'" },
  { value: '${name.field', found: "'${name.field'" },
  { value: '{{ .Values.a }}', found: "'{{ .Values.a }}'" },
  { value: 'x $6$ab$cd', found: "'$ab', '$cd'" },
  { value: '{{a}}{{b}}', found: "'{{a}}', '{{b}}'" },
])('a placeholder in a value is a warning: $value', ({ value, found }) => {
  expect(faultsOf(`spec: {text: "${value}"}\n`)).toEqual([`warning spec/text ${OF_A_VALUE} ${found}`])
})

test.each(['costs 5$', '$1', '$(NAME)', '{{ a', '{ a }', '$6$n7odPOn$px8Vm7z/xj', '$2b$12$abcdefgh', '"$6$abc$def"'])(
  'no placeholder: %s',
  (value) => {
    expect(faultsOf(`spec: {text: '${value}'}\n`)).toEqual([])
  },
)

test.each([
  { field: 'metadata: {name: "${A}"}', expected: ["error metadata/name … in a name, got '${A}'"] },
  { field: 'metadata: {namespace: "${A}"}', expected: ["error metadata/namespace … in a name, got '${A}'"] },
  { field: `metadata: {name: "'\${A}'"}`, expected: ["error metadata/name … in a name, got '${A}'"] },
  { field: 'metadata: {name: {a: "${A}"}}', expected: [`warning metadata/name/a ${OF_A_VALUE} '\${A}'`] },
  { field: 'metadata: {uid: "${A}"}', expected: [`warning metadata/uid ${OF_A_VALUE} '\${A}'`] },
  { field: 'spec: {name: "${A}"}', expected: [`warning spec/name ${OF_A_VALUE} '\${A}'`] },
  { field: 'metadata: {labels: {name: "${A}"}}', expected: [`warning metadata/labels/name ${OF_A_VALUE} '\${A}'`] },
])('a placeholder in a name is an error: $field', ({ field, expected }) => {
  expect(faultsOf(`${field}\n`)).toEqual(expected)
})

const IN_EXPRESSION = 'error spec/expr … in an expression: CEL has variables instead, such as target.name, got'

test.each([
  { expr: '${A}', expected: `${IN_EXPRESSION} '\${A}'` },
  { expr: "'a' + $B", expected: `${IN_EXPRESSION} '$B'` },
  { expr: "'${A}' + $B", expected: `${IN_EXPRESSION} '\${A}', '$B'` },
  { expr: "{{ a }} == 'b'", expected: `${IN_EXPRESSION} '{{ a }}'` },
  { expr: "'${A}' # b", expected: `warning spec/expr ${OF_A_VALUE} '\${A}'` },
  { expr: "'a-${A}'", expected: `warning spec/expr ${OF_A_VALUE} '\${A}'` },
  { expr: "b'{{ a }}' + 'b'", expected: `warning spec/expr ${OF_A_VALUE} '{{ a }}'` },
])('a placeholder outside of the texts of an expression is an error: $expr', ({ expr, expected }) => {
  expect(faultsOf(`spec: {expr: "${expr}"}\n`)).toEqual([expected])
})

test('a placeholder that the comment of a setter names is replaced, others are not', () => {
  expect(faultsOf("spec:\n  text: '${a}' # kpt-set: ${a}\n")).toEqual([])
  expect(faultsOf("spec:\n  text: '${a}-${b}' # kpt-set: ${a}\n")).toEqual([`warning spec/text ${OF_A_VALUE} '\${b}'`])
  expect(faultsOf("spec:\n  text: '${a}' # set ${a}\n")).toEqual([`warning spec/text ${OF_A_VALUE} '\${a}'`])
})

test.each([
  { reason: 'the info of a Kptfile', text: 'kind: Kptfile\ninfo: {description: "${A}", keywords: ["${B}"]}\n', fields: [] },
  {
    reason: 'a paragraph in an annotation of a Kptfile',
    text: 'kind: Kptfile\nmetadata:\n  annotations:\n    a: |\n      ${A}\n      b\n',
    fields: [],
  },
  {
    reason: 'a line in an annotation of a Kptfile',
    text: 'kind: Kptfile\nmetadata: {annotations: {a: "${A}"}}\n',
    fields: ['metadata/annotations/a'],
  },
  {
    reason: 'a paragraph in a label of a Kptfile',
    text: 'kind: Kptfile\nmetadata:\n  labels:\n    a: |\n      ${A}\n      b\n',
    fields: ['metadata/labels/a'],
  },
  {
    reason: 'a paragraph elsewhere in a Kptfile',
    text: 'kind: Kptfile\nstatus:\n  annotations:\n    a: |\n      ${A}\n      b\n',
    fields: ['status/annotations/a'],
  },
  { reason: 'the info of another kind', text: 'kind: A\ninfo: {description: "${A}"}\n', fields: ['info/description'] },
  {
    reason: 'a paragraph in an annotation of another kind',
    text: 'kind: A\nmetadata:\n  annotations:\n    a: |\n      ${A}\n      b\n',
    fields: ['metadata/annotations/a'],
  },
  {
    reason: 'fields of the name of an annotation with a paragraph',
    text: 'kind: Kptfile\nmetadata:\n  annotations:\n    a: |\n      x\n      y\n  labels: {a: "${A}"}\nstatus: {annotations: {a: "${B}"}}\n',
    fields: ['metadata/labels/a', 'status/annotations/a'],
  },
])('texts for people: $reason', ({ text, fields }) => {
  expect(faultsOf(text).map((fault) => fault.split(' ')[1])).toEqual(fields)
})

test.each([
  { image: 'search-replace', found: 0 },
  { image: 'example.com/search-replace', found: 0 },
  { image: 'example.com/search-replace:v0.2.0', found: 0 },
  { image: 'search-replace@sha256:a', found: 0 },
  { image: 'my-search-replace:v1', found: 1 },
  { image: 'search-replacer', found: 1 },
  { image: 'set-labels', found: 1 },
])('the config map of search-replace has groups of expressions, those of others have placeholders: $image', ({ image, found }) => {
  expect(faultsOf(`pipeline: {mutators: [{image: "${image}", configMap: {put-value: "\${1}"}}]}\n`)).toHaveLength(found)
  expect(faultsOf(`pipeline: {mutators: [{image: "${image}", other: {put-value: "\${1}"}}]}\n`)).toHaveLength(1)
})

test('a key that is a placeholder is reported at the key, and positions are no keys', () => {
  expect(placeholderKeyFaults(['spec', '${A}'])).toEqual([
    {
      severity: 'warning',
      rule: 'placeholder',
      path: ['spec', '${A}'],
      message: 'must not be a placeholder that nothing here replaces',
      atKey: true,
    },
  ])
  expect(placeholderKeyFaults(['spec', '{{ a }}'])).toHaveLength(1)
  expect(placeholderKeyFaults(['${A}', 'b'])).toEqual([])
  expect(placeholderKeyFaults(['spec', 0])).toEqual([])
  expect(placeholderKeyFaults([])).toEqual([])
})
