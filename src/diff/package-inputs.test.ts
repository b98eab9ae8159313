import { expect, test } from 'vitest'
import { ChainLinks } from './causes/chain-links.ts'
import type { FleetState } from './fleet-state.ts'
import { namesOfFunctions, type PackageInput } from './package-inputs.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

const UPSTREAM: Files = {
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', 'one'),
  'catalog/web@2/Kptfile': KPTFILE_TEXT,
  'catalog/web@2/a.yaml': configText('a', 'one'),
}

/** Returns the inputs of the package `edge/a` that differ between two states. */
function inputsOf(from: FleetState, to: FleetState, folder = 'edge/a'): readonly PackageInput[] {
  const [was, is] = [from, to].map(({ plan }) => plan.steps.find((step) => step.folder === folder))
  if (was === undefined || is === undefined) throw new Error('must be in both states')
  return new ChainLinks(from, to).comparison.between(was, is)
}

/** Returns an input as TYPE PATH BEFORE → AFTER. */
function shown(input: PackageInput): string {
  if (input.type === 'context') return `context ${input.name} ${input.before?.kind ?? 'none'} → ${input.after?.kind ?? 'none'}`
  if (input.type !== 'field') return input.type
  const former = input.formerPath === undefined ? '' : ` (was ${input.formerPath.join('.')})`
  const order = input.isOrder === true ? ' (order)' : ''
  return `${input.path.join('.')}${former} ${JSON.stringify(input.before)} → ${JSON.stringify(input.after)}${order}`
}

const fleetOf = (more: string, files: Files = {}): FleetState =>
  stateOfFiles({ ...UPSTREAM, 'fleet/a.yaml': variantText('a', 'edge/a', { more }), ...files })

/** Returns the inputs that differ between two specs of a variant. */
const between = (before: string, after: string) => inputsOf(fleetOf(before), fleetOf(after)).map(shown)

const mutators = (...lines: readonly string[]) => `  pipeline:\n    mutators:\n${lines.map((line) => `    - ${line}\n`).join('')}`
const labels = (name: string, team: string) => `{name: ${name}, image: set-labels, configMap: {team: ${team}}}`
const unnamed = (team: string) => `{image: set-labels, configMap: {team: ${team}}}`
const context = (fields: string) => `  packageContext: {${fields}}\n`
const at = (index: number) => `spec.pipeline.mutators.${index}`

test.each<[string, string, string, readonly string[]]>([
  ['nothing that differs', context('data: {a: b}'), context('data: {a: b}'), []],
  ['another order of keys', context('data: {a: b, c: d}'), context('data: {c: d, a: b}'), []],
  ['a value of a map', context('data: {a: b, c: d}'), context('data: {a: x, c: d}'), ['spec.packageContext.data.a "b" → "x"']],
  ['a key that comes', context('data: {a: b}'), context('data: {a: b, c: d}'), ['spec.packageContext.data.c undefined → "d"']],
  ['a key that goes', context('data: {a: b, c: d}'), context('data: {a: b}'), ['spec.packageContext.data.c "d" → undefined']],
  ['a whole field that comes', '', '  labels: {a: b}\n', ['spec.labels undefined → {"a":"b"}']],
  ['keys that are one input', context('removeKeys: [a]'), context('removeKeys: [b]'), ['spec.packageContext.removeKeys ["a"] → ["b"]']],
  [
    'injectors, which are one input',
    '  injectors: [{name: a}]\n',
    '  injectors: [{name: b}]\n',
    ['spec.injectors [{"name":"a"}] → [{"name":"b"}]'],
  ],
  ['a position of a list', mutators(unnamed('a')), mutators(unnamed('b')), [`${at(0)}.configMap.team "a" → "b"`]],
  [
    'a list of another length',
    mutators(unnamed('a')),
    mutators(unnamed('a'), unnamed('b')),
    [
      'spec.pipeline.mutators [{"image":"set-labels","configMap":{"team":"a"}}] → [{"image":"set-labels","configMap":{"team":"a"}},{"image":"set-labels","configMap":{"team":"b"}}]',
    ],
  ],
  [
    'another order of functions',
    mutators(labels('x', 'a'), labels('y', 'b')),
    mutators(labels('y', 'b'), labels('x', 'a')),
    ['spec.pipeline.mutators ["x","y"] → ["y","x"] (order)'],
  ],
  [
    'another order of functions, of which one changes',
    mutators(labels('x', 'a'), labels('y', 'b')),
    mutators(labels('y', 'b'), labels('x', 'c')),
    ['spec.pipeline.mutators ["x","y"] → ["y","x"] (order)', `${at(1)}.configMap.team (was ${at(0)}.configMap.team) "a" → "c"`],
  ],
  [
    'functions with other names',
    mutators(labels('x', 'a'), labels('y', 'a')),
    mutators(labels('x', 'a'), labels('z', 'a')),
    [`${at(1)}.name "y" → "z"`],
  ],
])('two specs of a variant with %s', (_, before, after, expected) => {
  expect(between(before, after)).toEqual(expected)
})

test.each([
  [
    [{ name: 'a' }, { name: 'b' }],
    ['a', 'b'],
  ],
  [[], []],
  [[{ name: 'a' }, { image: 'i' }], undefined],
  [[{ name: 'a' }, { name: 'a' }], undefined],
  [{ name: 'a' }, undefined],
  [undefined, undefined],
])('the functions %j have the names %j', (functions, names) => {
  expect(namesOfFunctions(functions)).toEqual(names)
})

const asking = (revision: number, files: Files = {}) =>
  stateOfFiles({ ...UPSTREAM, 'fleet/a.yaml': variantText('a', 'edge/a', { revision }), ...files })

test('another revision of the upstream is one input, also with equal files, and so are other files of the same revision', () => {
  expect(inputsOf(asking(1), asking(2)).map(shown)).toEqual(['upstream'])
  expect(inputsOf(asking(1), asking(1, { 'catalog/web@1/a.yaml': configText('a', 'two') })).map(shown)).toEqual(['upstream'])
  expect(inputsOf(asking(1), asking(1, { 'catalog/web@1/b.yaml': configText('b', 'two') })).map(shown)).toEqual(['upstream'])
  expect(inputsOf(asking(1, { 'catalog/web@1/b.yaml': configText('b', 'two') }), asking(1)).map(shown)).toEqual(['upstream'])
  expect(inputsOf(asking(1), asking(1)).map(shown)).toEqual([])
  expect(inputsOf(asking(1), asking(1, { 'catalog/web@2/a.yaml': configText('a', 'two') })).map(shown)).toEqual([])
})

const PLACE = (value: string, more = '') =>
  `apiVersion: example.com/v1\nkind: Place\nmetadata: {name: here, namespace: fleet${more}}\nspec: {a: ${value}}\n`
const injecting = (injector: string) => `  injectors: [${injector}]\n`

test.each<[string, string, Files, Files, readonly string[]]>([
  ['that it names', '{name: here}', { 'fleet/p.yaml': PLACE('1') }, { 'fleet/p.yaml': PLACE('2') }, ['context here Place → Place']],
  [
    'that it names by kind',
    '{name: here, kind: Place}',
    { 'fleet/p.yaml': PLACE('1') },
    { 'fleet/p.yaml': PLACE('2') },
    ['context here Place → Place'],
  ],
  ['that comes', '{name: here}', {}, { 'fleet/p.yaml': PLACE('1') }, ['context here none → Place']],
  ['that goes', '{name: here}', { 'fleet/p.yaml': PLACE('1') }, {}, ['context here Place → none']],
  ['of another kind', '{name: here, kind: Other}', { 'fleet/p.yaml': PLACE('1') }, { 'fleet/p.yaml': PLACE('2') }, []],
  ['of another name', '{name: there}', { 'fleet/p.yaml': PLACE('1') }, { 'fleet/p.yaml': PLACE('2') }, []],
  ['of a longer name', '{name: here-too}', { 'fleet/p.yaml': PLACE('1') }, { 'fleet/p.yaml': PLACE('2') }, []],
  ['that only looks different', '{name: here}', { 'fleet/p.yaml': PLACE('1') }, { 'fleet/p.yaml': `# text\n${PLACE('1')}` }, []],
])('a variant may inject an object %s', (_, injector, before, after, expected) => {
  expect(inputsOf(fleetOf(injecting(injector), before), fleetOf(injecting(injector), after)).map(shown)).toEqual(expected)
})

test('variants and sets are no objects that a variant injects', () => {
  const other = (revision: number): Files => ({ 'fleet/here.yaml': variantText('here', 'edge/b', { revision }) })
  expect(inputsOf(fleetOf(injecting('{name: here}'), other(1)), fleetOf(injecting('{name: here}'), other(2))).map(shown)).toEqual([])
})

test('other options of the rendering are one input of every package, their order is none', () => {
  const withOptions = (repositories: readonly string[], clone: 'kpt' | 'porch' = 'kpt'): FleetState => {
    const state = asking(1)
    const none = { trusted: false, revisions: new Map(), tags: new Map() }
    const options = { ...state.plan.renderContext.options, clone, repositories: new Map(repositories.map((name) => [name, none])) }
    return { ...state, plan: { ...state.plan, renderContext: { ...state.plan.renderContext, options } } }
  }
  expect(inputsOf(withOptions(['a', 'b']), withOptions(['b', 'a'])).map(shown)).toEqual([])
  expect(inputsOf(withOptions(['a', 'b']), withOptions(['a'])).map(shown)).toEqual(['options'])
  expect(inputsOf(withOptions([]), withOptions([], 'porch')).map(shown)).toEqual(['options'])
})

const chain = (more: string, value = 'one', upstream = 'edge/a'): Files => ({
  ...UPSTREAM,
  'catalog/web@1/a.yaml': configText('a', value),
  'fleet/a.yaml': variantText('a', 'edge/a', { more }),
  'fleet/far.yaml': variantText('far', 'far/a', { upstream }),
})

test('the upstream of a link differs if an input of its maker does, or where another variant or none makes it', () => {
  const far = (before: Files, after: Files) => inputsOf(stateOfFiles(before), stateOfFiles(after), 'far/a').map(shown)
  expect(far(chain(''), chain(''))).toEqual([])
  expect(far(chain(''), chain('  labels: {a: b}\n'))).toEqual(['upstream'])
  expect(far(chain(''), chain('', 'two'))).toEqual(['upstream'])
  expect(far(chain(''), chain('', 'one', 'catalog/web'))).toEqual(['upstream'])
})

test('the upstream of a committed link is compared by its content: an edit of the package counts, a field that changes nothing does not', () => {
  const files = chain('')
  const links = renderedPackages(Object.fromEntries(Object.entries(files).filter(([path]) => path !== 'fleet/far.yaml')))
  const committed: Files = { ...links, ...renderedPackages(files, links) }
  const edited = { ...committed, 'edge/a/a.yaml': configText('a', 'edited') }
  expect(inputsOf(stateOfFiles(files, committed), stateOfFiles(files, committed), 'far/a').map(shown)).toEqual([])
  expect(inputsOf(stateOfFiles(files, committed), stateOfFiles(files, edited), 'far/a').map(shown)).toEqual(['upstream'])
})
