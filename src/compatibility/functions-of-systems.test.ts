import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findingsFor, type SystemName } from './compatibility.ts'
import { imagesOfPorch, shortImages, unknownFields } from './functions-of-systems.ts'
import type { WrittenFunction } from './pipeline-functions.ts'
import type { KptFacts, PorchFacts, SystemFault } from './system-differences.ts'

const OBJECT = KrmObject.fromDocument('kind: Kptfile\n')

function written(fields: JsonRecord): WrittenFunction {
  return { object: OBJECT, path: ['pipeline', 'mutators', 0], fields }
}

/** Returns faults as `SEVERITY RULE FIELD: MESSAGE`. */
function said(faults: readonly SystemFault[]): readonly string[] {
  return faults.map(({ severity, rule, path, message }) => `${severity} ${rule} ${path.slice(3).join('.')}: ${message}`)
}

const KPT: KptFacts = { name: 'kpt 7', unknownFields: ['when', 'configRef'], imagePrefix: 'gcr.io/kpt-fn' }

test('each field that a version does not know is an error with what to write in its place', () => {
  const fields = { image: 'a/b:v1', when: 'true', configRef: {}, tag: 'v2' }
  expect(said(unknownFields(written(fields), KPT, 'kpt-unknown-field'))).toEqual([
    'error kpt-unknown-field when: must not be set for kpt 7, which refuses the Kptfile; let the function itself look at its input',
    'error kpt-unknown-field configRef: must not be set for kpt 7, which refuses the Kptfile; write the config into a file of the package and name the file in `configPath`',
  ])
  const unproven = { ...KPT, unknownFields: [], unprovenFields: ['tag', 'when'] }
  expect(said(unknownFields(written({ tag: 'v2' }), unproven, 'porch-refuses-kptfile'))).toEqual([
    'warning porch-refuses-kptfile tag: may be unknown to kpt 7, which then refuses the Kptfile: no release notes name it; write the tag into `image`',
  ])
  expect(unknownFields(written({ image: 'a' }), unproven, 'kpt-unknown-field')).toEqual([])
})

test.each([
  ['set-labels:v1', 'ghcr.io/x', true],
  ['set-labels:v1', 'gcr.io/kpt-fn', false],
  ['a/set-labels:v1', 'ghcr.io/x', false],
  ['Set Labels', 'ghcr.io/x', false],
  ['', 'ghcr.io/x', false],
])('the image %j is another one where short names are below %s: %s', (image, prefix, isOther) => {
  expect(said(shortImages(written({ image }), KPT, prefix))).toEqual(
    isOther ? [`warning other-image image: must name a registry: for kpt 7 it is 'gcr.io/kpt-fn/${image}', here '${prefix}/${image}'`] : [],
  )
})

const PORCH: PorchFacts = {
  name: 'Porch 7',
  kpt: { ...KPT, imagePrefix: 'ghcr.io/x' },
  droppedFields: [],
  inProcess: { starlark: ['v0.5', 'v0.5.5'] },
  hasFunctionConfigs: false,
}

const RUNS = 'info porch-image image: is '
const LATEST = 'must have a version: for Porch 7 it is '
const KEPT = 'and its function runner keeps the image of a tag that it once fetched'

test.each([
  [{ image: 'starlark:v0.5' }, `${RUNS}'ghcr.io/x/starlark:v0.5', which Porch 7 runs in its own process`],
  [{ image: 'ghcr.io/x/starlark', tag: 'v0.5.5' }, `${RUNS}'ghcr.io/x/starlark:v0.5.5', which Porch 7 runs in its own process`],
  [
    { image: 'starlark:v0.4' },
    `${RUNS}'ghcr.io/x/starlark:v0.4', which Porch 7 runs in the function runner, since its own process has only 'v0.5', 'v0.5.5'`,
  ],
  [{ image: 'other.io/starlark:v0.5' }, `${RUNS}'other.io/starlark:v0.5', which Porch 7 runs in the function runner`],
  [{ image: 'set-labels:v1' }, `${RUNS}'ghcr.io/x/set-labels:v1', which Porch 7 runs in the function runner`],
  [{ image: 'starlark' }, `warning porch-image-latest image: ${LATEST}'ghcr.io/x/starlark:latest', ${KEPT}`],
  [{ image: 'a/b:v1', tag: 'latest' }, `warning porch-image-latest image: ${LATEST}'a/b:latest', ${KEPT}`],
  [{ exec: 'sed' }, undefined],
  [{ image: 'A B' }, undefined],
])('for %j Porch has the finding %s', (fields, finding) => {
  expect(said(imagesOfPorch(written(fields), PORCH, []))).toEqual(finding === undefined ? [] : [finding])
})

test('where nothing is known about the images of a version, nothing is said of an image with a tag', () => {
  const { inProcess: _, ...unknown } = PORCH
  expect(imagesOfPorch(written({ image: 'starlark:v0.5' }), unknown, [])).toEqual([])
})

function config(name: string, image: string, prefixes: readonly string[], executors: JsonRecord): KrmObject {
  const spec = { image, prefixes, ...executors }
  return KrmObject.fromDocument(
    JSON.stringify({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'FunctionConfig', metadata: { name }, spec }),
  )
}

const CONFIGS = [
  config('other', 'starlark', ['b.io'], { goExecutor: { tags: ['v0.5.1'] } }),
  config('go', 'starlark', ['a.io', 'ghcr.io/x'], { goExecutor: { tags: ['v0.5.1', '~0.6'] } }),
  config('program', 'starlark', ['ghcr.io/x'], { binaryExecutor: { tags: ['v0.5.1', 'v0.7.0', 'nightly'] } }),
]

test.each([
  ['starlark:v0.5.1', "its own process, as FunctionConfig 'go' says"],
  ['starlark:v0.6.3', "its own process, as FunctionConfig 'go' says"],
  ['starlark:v0.7.0', "the container of the function runner, as FunctionConfig 'program' says"],
  ['starlark:v0.8.0', 'a pod of the function runner'],
  ['starlark:nightly', "the container of the function runner, as FunctionConfig 'program' says"],
  ['starlark:any', 'a pod of the function runner'],
  ['b.io/starlark:v0.5.1', "its own process, as FunctionConfig 'other' says"],
  ['c.io/starlark:v0.5.1', 'a pod of the function runner'],
  ['set-labels:v0.5.1', 'a pod of the function runner'],
])('the image %s runs in %s', (image, executor) => {
  const [finding] = said(imagesOfPorch(written({ image }), { ...PORCH, hasFunctionConfigs: true }, CONFIGS))
  expect(finding).toMatch(/^info porch-image image: is '[^']*', which Porch 7 runs in /)
  expect(finding?.replace(/^.* runs in /, '')).toBe(executor)
})

test('FunctionConfigs count only for a version that knows them, and only if the fleet has some', () => {
  const known = { ...PORCH, hasFunctionConfigs: true }
  const inProcess = [expect.stringMatching(/ runs in its own process$/)]
  expect(said(imagesOfPorch(written({ image: 'starlark:v0.5' }), PORCH, CONFIGS))).toEqual(inProcess)
  expect(said(imagesOfPorch(written({ image: 'starlark:v0.5' }), known, []))).toEqual(inProcess)
})

test.each([
  ['porch@1.5.3', 'gcr.io/kpt-fn/starlark:v0.4.3', 'its own process'],
  ['porch@1.5.3', 'gcr.io/kpt-fn/set-namespace:v0.4', 'its own process'],
  ['porch@1.5.3', 'gcr.io/kpt-fn/apply-replacements:v0.1.1', 'its own process'],
  ['porch@1.5.3', 'gcr.io/kpt-fn/apply-replacements:v0.1.5', 'the function runner'],
  ['porch@main', 'starlark:v0.5.5', 'its own process'],
  ['porch@main', 'starlark:v0.5', 'its own process'],
  ['porch@main', 'set-namespace:v0.4.5', 'its own process'],
  ['porch@main', 'apply-replacements:v0.1', 'its own process'],
  ['porch@main', 'set-labels:v0.2', 'the function runner'],
  ['porch@1.5', 'starlark:v0.5', undefined],
  ['porch@1.6', 'starlark:v0.5', undefined],
] as const)('%s runs the image %s in %s', (system: SystemName, image, executor) => {
  const kptfile = { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'a' }, pipeline: { mutators: [{ image }] } }
  const results = findingsFor(system, [], [KrmObject.fromDocument(JSON.stringify(kptfile))])
  const found = results
    .filter(({ tags }) => tags.rule === 'porch-image')
    .map(({ message }) => message.replace(/^.* runs in ([^,]*).*$/, '$1'))
  expect(found).toEqual(executor === undefined ? [] : [executor])
})
