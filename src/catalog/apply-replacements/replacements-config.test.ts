import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { findingsOf } from '../../result.ts'
import { replacementsOf } from './replacements-config.ts'

function configOf(replacements: readonly object[]): KrmObject {
  return KrmObject.fromDocument(
    JSON.stringify({ apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'ApplyReplacements', metadata: { name: 'r' }, replacements }),
  )
}

/** Returns the steps of a field path. */
function stepsOf(fieldPath: string): readonly string[] | undefined {
  return replacementsOf(configOf([{ source: { fieldPath }, targets: [] }]))[0]?.source.fieldPath.steps
}

/** Returns the findings about one replacement, each with its rule and its place. */
function faultsOf(source: object, ...targets: readonly object[]): readonly string[] {
  return findingsOf(() => {
    replacementsOf(configOf([{ source, targets }]))
    return []
  }).map(({ severity, tags, field, message }) => `${severity} ${tags.rule} ${field?.path.join('.')}: ${message}`)
}

// As kustomize's SmarterPathSplitter.
test.each([
  ['a dot is between two keys', 'spec.replicas', ['spec', 'replicas']],
  ['a dot at the start counts for nothing', '.spec.replicas', ['spec', 'replicas']],
  ['a dot at the end does not', 'spec.', ['spec', '']],
  ['a backslash keeps a dot', 'a.b\\.c\\.d.e', ['a', 'b.c.d', 'e']],
  ['brackets keep a dot', 'a.[b.c/d].e', ['a', 'b.c/d', 'e']],
  ['brackets around a key without a dot stay', 'a.[b].e', ['a', '[b]', 'e']],
  ['an item of a list keeps its brackets', 'a.[name=b].e', ['a', '[name=b]', 'e']],
  ['also with a dot in its value', 'a.[image=b.c.d].e', ['a', '[image=b.c.d]', 'e']],
  ['brackets inside of brackets are part of the key', 'a.[[b.c]].e', ['a', 'b.c', 'e']],
  ['brackets that nothing closes take the rest', 'a.[b.c', ['a', 'b.c']],
  ['without a path the name is meant', '', ['metadata', 'name']],
])('%s', (_, path, steps) => {
  expect(stepsOf(path)).toEqual(steps)
})

test('what is not written has a value that selects everything and the whole value', () => {
  const [replacement] = replacementsOf(configOf([{ source: { kind: 'A' }, targets: [{ select: { name: 'b' } }] }]))
  const nothing = { matchLabels: new Map(), matchExpressions: [] }
  const options = { delimiter: '', index: 0, create: false }
  expect(replacement).toEqual({
    at: ['replacements', 0],
    source: {
      group: '',
      version: '',
      kind: 'A',
      name: '',
      namespace: '',
      fieldPath: { text: 'metadata.name', steps: ['metadata', 'name'] },
      options,
    },
    targets: [
      {
        at: ['replacements', 0, 'targets', 0],
        select: { group: '', version: '', kind: '', name: 'b', namespace: '', labels: nothing, annotations: nothing },
        reject: [],
        fieldPaths: [{ text: 'metadata.name', steps: ['metadata', 'name'] }],
        options,
      },
    ],
  })
})

test('an empty list of field paths means the name, as a missing one', () => {
  const [replacement] = replacementsOf(configOf([{ source: {}, targets: [{ select: {}, fieldPaths: [] }] }]))
  expect(replacement?.targets[0]?.fieldPaths).toEqual([{ text: 'metadata.name', steps: ['metadata', 'name'] }])
})

test('everything that is written is read, of each replacement with its own place', () => {
  const options = { delimiter: '/', index: 2, create: true }
  const select = { group: 'g', version: 'v', kind: 'K', name: 'n', namespace: 's', labelSelector: 'a=b', annotationSelector: 'c=d' }
  const target = { select, reject: [{ labelSelector: 'e=f' }], fieldPaths: ['x.y', 'z'], options }
  const [, second] = replacementsOf(
    configOf([
      { source: {}, targets: [] },
      { source: { fieldPath: 'p', options }, targets: [target, target] },
    ]),
  )
  expect(second?.source).toMatchObject({ fieldPath: { text: 'p', steps: ['p'] }, options })
  expect(second?.targets.map(({ at }) => at)).toEqual([
    ['replacements', 1, 'targets', 0],
    ['replacements', 1, 'targets', 1],
  ])
  expect(second?.targets[1]).toMatchObject({
    select: {
      group: 'g',
      version: 'v',
      kind: 'K',
      name: 'n',
      namespace: 's',
      labels: selecting('a', 'b'),
      annotations: selecting('c', 'd'),
    },
    reject: [{ kind: '', labels: selecting('e', 'f') }],
    fieldPaths: [{ steps: ['x', 'y'] }, { steps: ['z'] }],
    options,
  })
})

function selecting(key: string, value: string): object {
  return { matchExpressions: [{ key, operator: 'In', values: [value] }] }
}

test('every selector that is none is an error at its place', () => {
  const message = "must be a selector such as 'app=web,tier in (a,b)', got"
  expect(
    faultsOf(
      {},
      { select: { labelSelector: 'a=b', annotationSelector: 'c d e' } },
      { select: {}, reject: [{}, { labelSelector: 'in (' }] },
    ),
  ).toEqual([
    `error replacement-selector replacements.0.targets.0.select.annotationSelector: \`replacements[0].targets[0].select.annotationSelector\` ${message} 'c d e'`,
    `error replacement-selector replacements.0.targets.1.reject.1.labelSelector: \`replacements[0].targets[1].reject[1].labelSelector\` ${message} 'in ('`,
  ])
})

test('a path deeper than any object is an error, in a source and in a target', () => {
  const path = (steps: number) => Array.from({ length: steps }, () => 'a').join('.')
  const [fault = '', ...others] = faultsOf({ fieldPath: path(2000) })
  expect(others).toEqual([])
  const most = Number(/at most (\d+) steps, got 2000/.exec(fault)?.[1])
  expect(fault).toBe(
    `error replacement-path replacements.0.source.fieldPath: \`replacements[0].source.fieldPath\` must have at most ${most} steps, got 2000`,
  )
  expect(faultsOf({ fieldPath: path(most) }, { select: {}, fieldPaths: [path(most)] })).toEqual([])
  expect(faultsOf({}, { select: {}, fieldPaths: ['a', path(most + 1)] })).toEqual([
    `error replacement-path replacements.0.targets.0.fieldPaths.1: \`replacements[0].targets[0].fieldPaths[1]\` must have at most ${most} steps, got ${most + 1}`,
  ])
})
