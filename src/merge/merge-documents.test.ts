import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { mergeDocuments } from './merge-documents.ts'
import { isBytes } from './package-files.ts'

interface Texts {
  readonly base?: readonly string[]
  readonly theirs?: readonly string[]
  readonly ours?: readonly string[]
}

/** Returns the text of a ConfigMap with the value of its only key. */
function config(name: string, value = 'one', metadata = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:${metadata === '' ? '' : ` # ${metadata}`}\n  name: ${name}\ndata:\n  a: ${value}\n`
}

/** Merges the documents of one file. Returns the result as `FROM NAME=VALUE`, the outcomes as `RESULT NAME FIELD`, and the findings. */
function merged({ base = [], theirs = [], ours = [] }: Texts) {
  const read = (texts: readonly string[]) =>
    texts.map((text, index) => KrmObject.fromDocument(text, { path: 'a.yaml', index, line: 10 * index + 1 }))
  const { content, outcomes, results } = mergeDocuments('a.yaml', { base: read(base), theirs: read(theirs), ours: read(ours) })
  return {
    objects:
      content === undefined || isBytes(content)
        ? undefined
        : content.map(({ from, object }) => `${from} ${object.name}=${object.get(['data', 'a'])}`),
    outcomes: outcomes.map(({ result, contested, ours: own, theirs: other }) => {
      const name = own.object?.name ?? other.object?.name
      return [result, ...(contested ? ['contested'] : []), name, own.field.join('.'), `${own.exists}/${other.exists}`].join(' ')
    }),
    lines: results.map(formatResult),
  }
}

test.each<{ rule: string; texts: Texts; objects: readonly string[] | undefined; outcomes: readonly string[] }>([
  { rule: 'a file without resources has no content', texts: {}, objects: undefined, outcomes: [] },
  {
    rule: 'a resource that only the downstream has stays without an outcome',
    texts: { ours: [config('a')] },
    objects: ['ours a=one'],
    outcomes: [],
  },
  {
    rule: 'a resource that upstream added is taken',
    texts: { theirs: [config('a')] },
    objects: ['theirs a=one'],
    outcomes: ['taken a  false/true'],
  },
  {
    rule: 'a resource that upstream removed goes if the downstream did not change it',
    texts: { base: [config('a')], ours: [config('a')] },
    objects: undefined,
    outcomes: ['taken a  true/false'],
  },
  {
    rule: 'a merge comment is no change of a resource that upstream removed',
    texts: { base: [config('a')], ours: [config('a', 'one', 'kpt-merge: /a')] },
    objects: undefined,
    outcomes: ['taken a  true/false'],
  },
  {
    rule: 'a resource that upstream removed and the downstream changed stays',
    texts: { base: [config('a')], ours: [config('a', 'two')] },
    objects: ['ours a=two'],
    outcomes: ['kept contested a  true/false'],
  },
  {
    rule: 'a resource that the downstream removed stays removed',
    texts: { base: [config('a')], theirs: [config('a')] },
    objects: undefined,
    outcomes: [],
  },
  {
    rule: 'a change of upstream to a resource that the downstream removed is passed over',
    texts: { base: [config('a')], theirs: [config('a', 'two')] },
    objects: undefined,
    outcomes: ['kept contested a  false/true'],
  },
  { rule: 'a resource that both removed has no outcome', texts: { base: [config('a')] }, objects: undefined, outcomes: [] },
  {
    rule: 'a change of upstream is taken',
    texts: { base: [config('a')], theirs: [config('a', 'two')], ours: [config('a')] },
    objects: ['ours a=two'],
    outcomes: ['taken a data.a true/true'],
  },
  {
    rule: 'a change of the downstream is kept, without an outcome',
    texts: { base: [config('a')], theirs: [config('a')], ours: [config('a', 'two')] },
    objects: ['ours a=two'],
    outcomes: [],
  },
  {
    rule: 'of two changes that of upstream wins, and the edit is lost',
    texts: { base: [config('a')], theirs: [config('a', 'two')], ours: [config('a', 'three')] },
    objects: ['ours a=two'],
    outcomes: ['lost contested a data.a true/true'],
  },
  {
    rule: 'a merge comment identifies a resource with another name',
    texts: { base: [config('a')], theirs: [config('a', 'two')], ours: [config('mine', 'one', 'kpt-merge: /a')] },
    objects: ['ours mine=two'],
    outcomes: ['kept mine metadata true/true', 'taken mine data.a true/true'],
  },
])('$rule', ({ texts, objects, outcomes }) => {
  expect(merged(texts)).toEqual({ objects, outcomes, lines: [] })
})

test.each<{ rule: string; texts: Texts; names: readonly string[] }>([
  {
    rule: 'the resources of the downstream keep their order, and new ones of upstream have the number of upstream',
    texts: { base: [config('a'), config('b')], theirs: [config('a'), config('b'), config('new')], ours: [config('b'), config('a')] },
    names: ['b', 'a', 'new'],
  },
  {
    rule: 'a resource that upstream moved has the number of upstream',
    texts: { base: [config('a'), config('b')], theirs: [config('a'), config('new'), config('b')], ours: [config('b'), config('a')] },
    names: ['a', 'new', 'b'],
  },
  {
    rule: 'of equal numbers the resource of the downstream comes first',
    texts: { base: [config('b')], theirs: [config('new'), config('b')], ours: [config('own'), config('b')] },
    names: ['own', 'new', 'b'],
  },
  {
    rule: 'new resources of upstream keep their order',
    texts: { base: [], theirs: [config('y'), config('x')], ours: [] },
    names: ['y', 'x'],
  },
])('$rule', ({ texts, names }) => {
  expect(merged(texts).objects?.map((each) => each.replace(/^\w+ (\w+)=.*/, '$1'))).toEqual(names)
})

/** Returns a ConfigMap whose metadata is in braces, with the annotation of its upstream. */
function annotated(name: string, upstream: string, value = 'one'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {internal.kpt.dev/upstream-identifier: '|ConfigMap|default|${upstream}'}}\ndata:\n  a: ${value}\n`
}

test('a renamed resource without a merge comment is the one that its annotation names', () => {
  const texts = { base: [config('a')], theirs: [config('a', 'two')], ours: [annotated('mine', 'a')] }
  expect(merged(texts)).toEqual({
    objects: ['ours mine=two'],
    outcomes: ['kept mine metadata true/true', 'taken mine data.a true/true'],
    lines: [],
  })
  const removed = { base: [config('a')], theirs: [], ours: [annotated('mine', 'a')] }
  expect(merged(removed).objects).toEqual(['ours mine=one'])
})

test('a resource that the downstream still has under its own name is not that of an annotation', () => {
  const texts = { base: [config('a')], theirs: [config('a', 'two')], ours: [config('a'), annotated('mine', 'a')] }
  expect(merged(texts).objects).toEqual(['ours a=two', 'ours mine=one'])
})

test('each further resource of one identity is an error with the side, and nothing is merged', () => {
  const line = (side: string) =>
    `a.yaml:14:9: error: \`metadata.name\` must be unique in 'a.yaml' ${side} for it to be merged, ConfigMap a is in line 1 as well [duplicate-in-file]`
  const twice = [config('a'), config('a')]
  expect(merged({ ours: twice })).toEqual({ objects: undefined, outcomes: [], lines: [line('downstream')] })
  expect(merged({ base: twice }).lines).toEqual([line('original')])
  expect(merged({ theirs: twice }).lines).toEqual([line('upstream')])
  expect(merged({ ours: [...twice, config('a')] }).lines).toHaveLength(2)
})

test('a field of another type is an error, and a lost comment a warning', () => {
  const other = config('a').replace('a: one', 'a: {b: c}')
  expect(merged({ base: [config('a')], theirs: [other], ours: [config('a', 'two')] }).lines).toEqual([
    expect.stringMatching(
      /^a\.yaml:6:6: error: `data\.a` must keep its type in an update, is 'two' here and a map upstream.*\[type-change\]$/,
    ),
  ])
  const [base, theirs] = [`${config('a')}  b: one\n`, config('a')]
  expect(merged({ base: [base], theirs: [theirs], ours: [`${config('a')}  b: one # ours\n`] }).lines).toEqual([
    expect.stringMatching(/^a\.yaml:7:\d+: warning: `data\.b` has the comment '# ours' here, which is lost.*\[comment-lost\]$/),
  ])
})
