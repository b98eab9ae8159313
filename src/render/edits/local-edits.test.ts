import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { unchanged } from '../clone/rendered-package.ts'
import { localEdits } from './local-edits.ts'

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
