import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const KPTFILE = kptfileText('shop')

function config(name: string, value = 'one'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: ${value}\n`
}

const OLD = { Kptfile: KPTFILE, 'a.yaml': config('a'), 'b.yaml': config('b'), 'both.yaml': `${config('c')}---\n${config('d')}` }
const NEW = { Kptfile: KPTFILE, 'a.yaml': config('a', 'two'), 'both.yaml': config('c') }

/** Returns the spec of a variant whose function writes a label. */
function labelled(team: string): string {
  return `  pipeline:
    mutators:
    - name: team
      image: ${CATALOG}/set-labels:v0.2.0
      configMap: {team: ${team}}
`
}

/** Returns a fleet with a rendered package of revision v1 whose variant has another function config now. */
function configuredAnew(revisions: ConstructorParameters<typeof OneVariantFleet>[0], spec = labelled): OneVariantFleet {
  const fleet = new OneVariantFleet(revisions)
  fleet.spec = spec('red')
  fleet.render(1)
  fleet.spec = spec('blue')
  return fleet
}

/** Returns the files and rules of an update to v2 that comes with a new config, which are those of an update after the config. */
function updated(revisions: ConstructorParameters<typeof OneVariantFleet>[0], { spec = labelled, edit = (_: OneVariantFleet) => {} } = {}) {
  const [together, apart] = [configuredAnew(revisions, spec), configuredAnew(revisions, spec)]
  edit(together)
  edit(apart)
  apart.render(1)
  const results = together.render(2).results
  expect(rulesOf(apart.render(2))).toEqual(results.map(({ tags }) => tags.rule))
  expect(together.files()).toEqual(apart.files())
  return { messages: results.map(({ message }) => message), files: together.files() }
}

test('an object that upstream removes goes, with a function config that changes in the same render', () => {
  const { messages, files } = updated({ v1: OLD, v2: NEW })
  expect(messages).toEqual([])
  expect(Object.keys(files)).toEqual(['Kptfile', 'a.yaml', 'both.yaml', 'package-context.yaml'])
  expect(files['both.yaml']).not.toContain('name: d')
})

test('an object that upstream removes goes, with a function that the variant gets in the same render', () => {
  const { messages, files } = updated({ v1: OLD, v2: NEW }, { spec: (team) => (team === 'red' ? '' : labelled(team)) })
  expect(messages).toEqual([])
  expect(Object.keys(files)).toEqual(['Kptfile', 'a.yaml', 'both.yaml', 'package-context.yaml'])
})

/** Returns the spec of a variant whose function writes a namespace. */
function inNamespace(name: string): string {
  return labelled(name).replace('set-labels:v0.2.0', 'set-namespace:v0.4.1').replace('team:', 'namespace:')
}

/** Returns an object whose metadata has no place for the comment of a clone. */
function inBraces(name: string): string {
  return config(name).replace(`\n  name: ${name}`, ` {name: ${name}}`)
}

const BRACES = { v1: { ...OLD, 'b.yaml': `${inBraces('b')}---\n${inBraces('e')}` }, v2: NEW }

test('an object with its metadata in braces goes, with a namespace that changes in the same render', () => {
  const { messages, files } = updated(BRACES, { spec: inNamespace })
  expect(messages).toEqual([])
  expect(Object.keys(files)).toEqual(['Kptfile', 'a.yaml', 'both.yaml', 'package-context.yaml'])
})

/** Returns an object in braces, in which a clone leaves no mark. */
function allInBraces(name: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {value: one}}\n`
}

const ALL_BRACES = { v1: { ...OLD, 'b.yaml': `${allInBraces('b')}---\n${allInBraces('e')}` }, v2: NEW }

test.each([inNamespace, withoutBlue(inNamespace)])(
  'an object in braces goes, with a namespace that changes or leaves in the same render',
  (spec) => {
    const fleet = configuredAnew(ALL_BRACES, spec)
    expect(fleet.render(2).results.map(({ message }) => message)).toEqual([])
    expect(Object.keys(fleet.files())).toEqual(['Kptfile', 'a.yaml', 'both.yaml', 'package-context.yaml'])
  },
)

test('of objects in braces, an edited one stays with a warning, and one that upstream keeps gets the new namespace', () => {
  const fleet = configuredAnew({ ...ALL_BRACES, v2: { ...NEW, 'b.yaml': allInBraces('e') } }, inNamespace)
  fleet.editPackage('b.yaml', 'value: one', 'value: mine')
  expect(fleet.render(2).results.map(({ message }) => message)).toEqual([
    '`ConfigMap red/b` is changed here, and stays so; upstream removed it',
  ])
  expect(fleet.readPackage('b.yaml')).toBe(
    `${allInBraces('b').replace('{name: b}', '{name: b, namespace: blue}').replace('one', 'mine')}---\n${allInBraces('e').replace('{name: e}', '{name: e, namespace: blue}')}`,
  )
})

test('an object with its metadata in braces moves with upstream, with a namespace that changes in the same render', () => {
  const revisions = {
    v1: { Kptfile: KPTFILE, 'b.yaml': inBraces('b') },
    v2: { Kptfile: KPTFILE, 'c.yaml': inBraces('b').replace('one', 'two') },
  }
  const { messages, files } = updated(revisions, { spec: inNamespace })
  expect(messages).toEqual([])
  expect(files['c.yaml']).toContain('value: two')
})

test('an edited object with its metadata in braces stays with a warning, beside one that goes', () => {
  const edit = (fleet: OneVariantFleet) => fleet.editPackage('b.yaml', 'value: one', 'value: mine')
  const { messages, files } = updated(BRACES, { spec: inNamespace, edit })
  expect(messages).toEqual(['`ConfigMap red/b` is changed here, and stays so; upstream removed it'])
  expect(files['b.yaml']).not.toContain('name: e')
})

test.each([undefined, 'fast-forward'] as const)(
  'what upstream removes goes with the last function of the variant, by strategy %s',
  (updateStrategy) => {
    const fleet = configuredAnew(BRACES, withoutBlue(inNamespace))
    const { results } = fleet.render(2, { options: updateStrategy ? { updateStrategy } : {} })
    expect(results.map(({ message }) => message)).toEqual([])
    expect(Object.keys(fleet.files())).toEqual(['Kptfile', 'a.yaml', 'both.yaml', 'package-context.yaml'])
    expect(fleet.readPackage('both.yaml')).not.toContain('name: d')
  },
)

test('an edited object that upstream removes stays with a warning when the last function leaves the variant', () => {
  const fleet = configuredAnew({ v1: OLD, v2: NEW }, withoutBlue(labelled))
  fleet.editPackage('b.yaml', 'value: one', 'value: mine')
  const before = fleet.files()
  expect(() => fleet.render(2, { options: { updateStrategy: 'fast-forward' } })).toThrow("found changes in 'b.yaml'; ")
  expect(fleet.files()).toEqual(before)
  expect(fleet.render(2).results.map(({ message }) => message)).toEqual([
    '`ConfigMap b` is changed here, and stays so; upstream removed it',
  ])
  expect(fleet.readPackage('b.yaml')).toContain('value: mine')
  expect(fleet.readPackage('both.yaml')).not.toContain('name: d')
})

test('what a function wrote that left the variant in an earlier render counts as an edit', () => {
  const fleet = configuredAnew({ v1: OLD, v2: NEW }, withoutBlue(inNamespace))
  fleet.render(1)
  expect(fleet.readPackage('b.yaml')).toContain('namespace: red')
  expect(fleet.render(2).results.map(({ message }) => message)).toEqual([
    '`ConfigMap red/b` is changed here, and stays so; upstream removed it',
    '`ConfigMap red/d` is changed here, and stays so; upstream removed it',
  ])
})

/** Returns specs of which the second has no functions. */
function withoutBlue(spec: (team: string) => string): (team: string) => string {
  return (team) => (team === 'blue' ? '' : spec(team))
}

test('an edited object that upstream removes stays with a warning', () => {
  const { messages, files } = updated(
    { v1: OLD, v2: NEW },
    {
      edit: (fleet) => {
        fleet.editPackage('b.yaml', 'value: one', 'value: mine')
      },
    },
  )
  expect(messages).toEqual(['`ConfigMap b` is changed here, and stays so; upstream removed it'])
  expect(files['both.yaml']).not.toContain('name: d')
  expect(files['b.yaml']).toContain('team: blue')
})

const SETTERS = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: setters\n  annotations:\n    config.kubernetes.io/local-config: "true"\ndata:\n  tag: one\n`
const POD = (sidecar: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: main\n    image: main:one # kpt-set: main:\${tag}\n${sidecar}`
const SIDE = '  - name: side\n    image: side:one # kpt-set: side:${tag}\n'

test('a field that upstream removes goes, with a setter that changes in the same render', () => {
  const { messages, files } = updated(
    { v1: { ...OLD, 'pod.yaml': POD(SIDE) }, v2: { ...NEW, 'pod.yaml': POD('') } },
    { spec: (team) => labelled(team).replace('set-labels:v0.2.0', 'apply-setters:v0.2.0').replace('team:', 'tag:') },
  )
  expect(messages).toEqual([])
  expect(files['pod.yaml']).not.toContain('side')
})

test('what upstream removes goes, with a package context that changes in the same render and feeds setters', () => {
  const spec = (team: string) => `  packageContext: {data: {tag: ${team}}}\n`
  const named = (pod: string) => pod.replace('name: p', 'name: shop # kpt-set: ${name}')
  const Kptfile = `${KPTFILE}pipeline:\n  mutators:\n  - image: ${CATALOG}/apply-setters:v0.2.0\n    configPath: package-context.yaml\n`
  const { messages, files } = updated(
    {
      v1: { ...OLD, Kptfile, 'pod.yaml': named(POD(SIDE)), 'gone.yaml': POD(SIDE).replace('name: p', 'name: g') },
      v2: { ...NEW, Kptfile, 'pod.yaml': named(POD('')) },
    },
    { spec },
  )
  expect(messages).toEqual([])
  expect(files['pod.yaml']).not.toContain('side')
  expect(Object.keys(files)).not.toContain('gone.yaml')
})

test('what upstream removes goes, if its values came from setters that people edited', () => {
  const Kptfile = `${KPTFILE}pipeline:\n  mutators:\n  - image: ${CATALOG}/apply-setters:v0.2.0\n    configPath: setters.yaml\n`
  const { messages, files } = updated(
    {
      v1: { ...OLD, Kptfile, 'setters.yaml': SETTERS, 'pod.yaml': POD(SIDE), 'gone.yaml': POD(SIDE).replace('name: p', 'name: g') },
      v2: { ...NEW, Kptfile, 'setters.yaml': SETTERS, 'pod.yaml': POD('') },
    },
    {
      edit: (fleet) => {
        fleet.editPackage('setters.yaml', 'tag: one', 'tag: two')
        fleet.render(1)
        expect(fleet.files()['pod.yaml']).toContain('side:two')
      },
    },
  )
  expect(messages).toEqual([])
  expect(files['pod.yaml']).not.toContain('side')
  expect(Object.keys(files)).not.toContain('gone.yaml')
})

test('a subpackage that upstream removes goes, with a function config that changes in the same render', () => {
  const sub = { 'sub/Kptfile': KPTFILE.replace('shop', 'sub'), 'sub/s.yaml': config('s') }
  const { messages, files } = updated({ v1: { ...OLD, ...sub }, v2: NEW })
  expect(messages).toEqual([])
  expect(Object.keys(files)).toEqual(['Kptfile', 'a.yaml', 'both.yaml', 'package-context.yaml'])
})

test.each(['fast-forward', 'force-delete-replace', 'copy-merge'] as const)(
  'a changed function config is no edit for the strategy %s',
  (strategy) => {
    const fleet = configuredAnew({ v1: OLD, v2: NEW })
    const results = rulesOf(fleet.render(2, { options: { updateStrategy: strategy } }))
    expect(results).toEqual([])
    expect(fleet.readPackage('a.yaml')).toContain('two')
  },
)

test.each([
  ['a function config that changes', labelled('blue')],
  ['the last function leaving the variant', ''],
])('a subpackage with an upstream of its own gets a revision with %s in the same render', (_, spec) => {
  const fleet = new OneVariantFleet({ v1: OLD })
  const net = { Kptfile: KPTFILE.replace('shop', 'net'), 'gone.yaml': config('gone'), 'edited.yaml': config('edited') }
  fleet.writeAll('catalog/net@v1', net)
  fleet.writeAll('catalog/net@v2', { Kptfile: net.Kptfile })
  fleet.spec = labelled('red')
  fleet.render(1)
  const revision = (ref: string) => `\n  type: git\n  git: {repo: catalog, directory: /net, ref: ${ref}}\n`
  const Kptfile = `${net.Kptfile}upstream:${revision('v1')}  updateStrategy: resource-merge\nupstreamLock:${revision('v1')}`
  fleet.writeAll('out/edge/shop/net', { ...net, Kptfile, 'edited.yaml': config('edited', 'mine') })
  fleet.render(1)
  fleet.spec = spec
  fleet.editPackage('net/Kptfile', 'ref: v1}\n  updateStrategy', 'ref: v2}\n  updateStrategy')
  expect(fleet.render(1).results.map(({ message }) => message)).toEqual([
    '`ConfigMap edited` is changed here, and stays so; upstream removed it',
  ])
  expect(Object.keys(fleet.files()).filter((path) => path.startsWith('net/'))).toEqual(['net/Kptfile', 'net/edited.yaml'])
})

/** An object of a random package: its plain value, and if it has a field that a setter writes. */
const object = fc.option(fc.record({ value: fc.constantFrom('one', 'two'), hasTag: fc.boolean() }), { nil: undefined })
const PLACES = ['a.yaml', 'b.yaml', 'sub/c.yaml'].flatMap((path) => ['first', 'second'].map((name) => ({ path, name })))
const revision = fc.record({ objects: fc.array(object, { minLength: PLACES.length, maxLength: PLACES.length }), hasSub: fc.boolean() })

function filesOf({ objects, hasSub }: { objects: readonly ({ value: string; hasTag: boolean } | undefined)[]; hasSub: boolean }) {
  const files: Record<string, string> = { Kptfile: KPTFILE, ...(hasSub && { 'sub/Kptfile': KPTFILE.replace('shop', 'sub') }) }
  for (const [at, { path, name }] of PLACES.entries()) {
    const made = objects[at]
    if (made === undefined) continue
    const text = `${config(name, made.value)}${made.hasTag ? '  tag: one # kpt-set: ${tag}\n' : ''}`
    files[path] = files[path] === undefined ? text : `${files[path]}---\n${text}`
  }
  return files
}

/** Returns the spec of a variant whose functions write a label and a setter. */
function setting(team: string): string {
  return `${labelled(team)}    - name: tag\n      image: ${CATALOG}/apply-setters:v0.2.0\n      configMap: {tag: ${team}}\n`
}

test('a new revision and a new function config give the same package in one render and in two', () => {
  const edits = fc.uniqueArray(fc.constantFrom(...PLACES.map(({ path }) => path)))
  fc.assert(
    fc.property(revision, revision, edits, (v1, v2, edited) => {
      const revisions = { v1: filesOf(v1), v2: filesOf(v2) }
      const edit = (fleet: OneVariantFleet) => {
        const files = fleet.files()
        for (const path of edited) if (files[path]?.includes('value: one')) fleet.editPackage(path, 'value: one', 'value: mine')
      }
      updated(revisions, { spec: setting, edit })
    }),
    { numRuns: randomRuns(3) },
  )
})

test('an edited object whose namesake upstream brings elsewhere stays with warnings, also if a file with a third one is untouched', () => {
  const two = (value: string) => `${config('other', value)}---\n${config('c')}`
  const { messages, files } = updated(
    {
      v1: { Kptfile: KPTFILE, 'a.yaml': two('one'), 'sub/c.yaml': config('c') },
      v2: { Kptfile: KPTFILE, 'a.yaml': two('two'), 'b.yaml': config('c') },
    },
    { edit: (fleet) => fleet.editPackage('sub/c.yaml', 'value: one', 'value: mine') },
  )
  expect(messages).toEqual([
    '`ConfigMap c` is changed here, and stays so; upstream removed it',
    "ConfigMap c must be in the package once, is now also in 'b.yaml', where upstream has it; remove one of the two",
  ])
  expect(files['sub/c.yaml']).toContain('value: mine')
})

test('an unedited object moves to another file with upstream, and loses a setter, without a warning', () => {
  const tagged = (name: string) => `${config(name)}  tag: one # kpt-set: ${'${tag}'}\n`
  const all = { Kptfile: KPTFILE, 'a.yaml': tagged('a') }
  const { messages, files } = updated(
    { v1: { ...all, 'sub/c.yaml': tagged('c') }, v2: { ...all, 'b.yaml': config('c') } },
    { spec: setting },
  )
  expect(messages).toEqual([])
  expect(Object.keys(files)).toEqual(['Kptfile', 'a.yaml', 'b.yaml', 'package-context.yaml'])
})

test('an edited object that upstream moves out of a subpackage stays with a warning, in one render and in two', () => {
  const sub = { Kptfile: KPTFILE, 'sub/Kptfile': KPTFILE.replace('shop', 'sub') }
  const { messages, files } = updated(
    { v1: { ...sub, 'sub/c.yaml': config('c') }, v2: { ...sub, 'c.yaml': config('c') } },
    { edit: (fleet) => fleet.editPackage('sub/c.yaml', 'value: one', 'value: mine') },
  )
  expect(messages).toEqual([
    '`ConfigMap c` is changed here, and stays so; upstream removed it',
    "ConfigMap c must be in the package once, is now also in 'c.yaml', where upstream has it; remove one of the two",
  ])
  expect(files['sub/c.yaml']).toContain('value: mine')
})

test('an unedited object moves with upstream, beside its namesake in a subpackage that upstream dissolves', () => {
  const c = { 'sub/c.yaml': config('first', 'two') }
  const { messages, files } = updated({
    v1: { Kptfile: KPTFILE, 'b.yaml': config('first'), 'sub/Kptfile': KPTFILE.replace('shop', 'sub'), ...c },
    v2: { Kptfile: KPTFILE, 'a.yaml': config('first'), ...c },
  })
  expect(messages).toEqual(["ConfigMap first must be in the package once, is also in 'a.yaml'; a cluster keeps one of the two"])
  expect(Object.keys(files)).toEqual(['Kptfile', 'a.yaml', 'package-context.yaml', 'sub/c.yaml'])
})
