import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { unchanged } from '../clone/rendered-package.ts'
import { localEdits } from './local-edits.ts'
import type { VariantKeys } from './variant-keys.ts'

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: upf
  labels: {tier: core}
pipeline:
  mutators:
  - image: example.com/base:1
`

/** The files that count as edited when a Kptfile that was cloned stands as another one. */
function editsOf(there: string, labels: Readonly<Record<string, string>> = {}): readonly string[] {
  const clone = new Map([...packageOfTexts({ Kptfile: KPTFILE })].map(([path, content]) => [path, unchanged(content, 'theirs')]))
  const variant = { labels: new Map(Object.entries(labels)), annotations: new Map() }
  return localEdits(clone, packageOfTexts({ Kptfile: there }), { variant, owners: { owner: 'edge', others: [] } })
}

test.each([
  {
    what: 'another name, upstream and status',
    there: `${KPTFILE.replace('upf', 'core')}upstream: {type: git}\nstatus: {conditions: []}\n`,
  },
  { what: 'labels that upstream does not have', there: KPTFILE.replace('{tier: core}', '{tier: core, team: a}') },
  {
    what: "the variant's functions",
    there: KPTFILE.replace('mutators:\n', 'mutators:\n  - {name: PackageVariant.edge.ns.0, image: ns}\n'),
  },
  { what: "gates of the package's injection points", there: `${KPTFILE}info: {readinessGates: [{conditionType: config.injection.A.b}]}\n` },
])('$what are no edit', ({ there }) => {
  expect(editsOf(there)).toEqual([])
})

test.each([
  { what: 'another value of a label that upstream has', there: KPTFILE.replace('core}', 'edge}') },
  { what: 'a label of upstream that is gone', there: KPTFILE.replace('{tier: core}', '{}') },
  { what: 'a function of people', there: `${KPTFILE}  - image: example.com/own:1\n` },
  { what: 'a function of another variant', there: `${KPTFILE}  - {name: PackageVariant.core.ns.0, image: ns}\n` },
  { what: 'a gate of people', there: `${KPTFILE}info: {readinessGates: [{conditionType: reviewed}]}\n` },
])('$what is an edit', ({ there }) => {
  expect(editsOf(there)).toEqual(['Kptfile'])
})

test('a label that upstream has and the variant sets is its own', () => {
  expect(editsOf(KPTFILE.replace('core}', 'edge}'), { tier: 'site' })).toEqual([])
})

const CONTEXT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  name: edge\n  own: x\n'
const POINT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: point\ndata:\n  a: b\n'
const NO_KEYS = { data: new Set<string>(), labels: new Set<string>(), annotations: new Set<string>() }

/** Returns the files of a package that differ from its clone, where only keys count that the variant wrote, if these are given. */
function editedFiles(clone: Texts, there: Texts, wrote?: Partial<VariantKeys>): readonly string[] {
  const files = new Map([...packageOfTexts(clone)].map(([path, content]) => [path, unchanged(content, 'theirs')]))
  const maker = {
    variant: { labels: new Map<string, string>(), annotations: new Map<string, string>() },
    owners: { owner: 'edge', others: [] },
  }
  return localEdits(files, packageOfTexts(there), { ...maker, ...(wrote && { wrote: { ...NO_KEYS, ...wrote } }) })
}

test('a file that is new, missing, or has another number of objects is an edit, by the order of paths', () => {
  const made = { 'b.yaml': POINT, 'a.yaml': POINT, 'c.txt': 'x', 'd.yaml': POINT }
  expect(editedFiles(made, made)).toEqual([])
  expect(editedFiles(made, { 'b.yaml': `${POINT}---\n${POINT}`, 'c.txt': 'y', 'd.yaml': POINT, 'e.txt': 'x' })).toEqual([
    'a.yaml',
    'b.yaml',
    'c.txt',
    'e.txt',
  ])
})

test('the data of the package context are no edit, and where the keys of the variant are known, its keys, those of kpt and those of upstream', () => {
  const made = { 'package-context.yaml': CONTEXT }
  const there = (data: string) => ({ 'package-context.yaml': `${CONTEXT.replace(/^data:\n.*/ms, '')}data:\n${data}` })
  const [known, more] = [there('  name: west\n  own: x\n'), there('  name: edge\n  own: x\n  site: a\n')]
  expect([editedFiles(made, known), editedFiles(made, more), editedFiles(made, there('  own: y\n'))]).toEqual([[], [], []])
  expect(editedFiles(made, known, {})).toEqual([])
  expect(editedFiles(made, more, {})).toEqual(['package-context.yaml'])
  expect(editedFiles(made, more, { data: new Set(['site']) })).toEqual([])
  expect(editedFiles(made, there('  name: edge\n  own: y\n'), {})).toEqual(['package-context.yaml'])
  expect(editedFiles(made, there('  name: edge\n'), {})).toEqual([])
  expect(editedFiles(made, { 'package-context.yaml': CONTEXT.replace('data:', 'immutable: true\ndata:') })).toEqual([
    'package-context.yaml',
  ])
})

test.each([
  ['kpt.dev/injected-resource: x', '  a: c\n', []],
  ['kpt.dev/injected-resource: x', '  a: c\nimmutable: true\n', ['a.yaml']],
  ['mine: x', '  a: c\n', ['a.yaml']],
] as const)('an object with %s and other data is an edit unless the value was injected', (annotation, data, expected) => {
  const there = POINT.replace('  name: point\n', `  name: point\n  annotations: {${annotation}}\n`).replace('  a: b\n', data)
  expect(editedFiles({ 'a.yaml': POINT }, { 'a.yaml': there })).toEqual(expected)
})

test('where the keys of the variant are known, a label or annotation that neither it nor upstream has is an edit', () => {
  const there = (labels: string) => ({ Kptfile: KPTFILE.replace('{tier: core}', labels) })
  const edits = (labels: string, wrote: Partial<VariantKeys>) => editedFiles({ Kptfile: KPTFILE }, there(labels), wrote)
  expect(edits('{tier: core, team: a}', {})).toEqual(['Kptfile'])
  expect(edits('{tier: core, team: a}', { labels: new Set(['team']) })).toEqual([])
  expect(edits('{tier: edge}', { labels: new Set(['tier']) })).toEqual([])
  expect(edits('{tier: core}\n  annotations: {note: a}', {})).toEqual(['Kptfile'])
  expect(edits('{tier: core}\n  annotations: {note: a}', { labels: new Set(['note']) })).toEqual(['Kptfile'])
  expect(edits('{tier: core}\n  annotations: {note: a}', { annotations: new Set(['note']) })).toEqual([])
})

test('validators of the variant are its own, and empty lists of the Kptfile are as none', () => {
  expect(editsOf(`${KPTFILE}  validators:\n  - {name: PackageVariant.edge.v.0, image: v}\n`)).toEqual([])
  expect(editsOf(`${KPTFILE}  validators:\n  - {name: own, image: v}\n`)).toEqual(['Kptfile'])
  expect(editsOf(`${KPTFILE}  validators: []\ninfo: {readinessGates: []}\n`)).toEqual([])
})
