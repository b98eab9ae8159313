import { expect, test } from 'vitest'
import { packageOfTexts } from '../../testdata/package-of-texts.ts'
import type { FleetState } from './fleet-state.ts'
import { packagesAfter } from './packages-after.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

const LOCAL = `${configText('local', 'x').replace('metadata:', 'metadata:\n  annotations: {config.kubernetes.io/local-config: "true"}')}`
const FLEET: Files = {
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', 'one'),
  'catalog/web@1/local.yaml': LOCAL,
  'catalog/web@2/Kptfile': KPTFILE_TEXT,
  'catalog/web@2/a.yaml': configText('a', 'two'),
  'fleet/a.yaml': variantText('a', 'edge/a'),
  'fleet/b.yaml': variantText('b', 'edge/b', { revision: 2 }),
}

const ALL = () => true

/** Returns the packages of a state as FOLDER NAME=VALUE…, of those whose Kptfile and folder pass a test. */
function shown(state: FleetState, isWanted: Parameters<ReturnType<typeof packagesAfter>>[0] = ALL): readonly string[] {
  return packagesAfter(state)(isWanted).map(
    ({ folder, objects }) =>
      `${folder} ${objects()
        .map((object) => `${object.name}=${String(object.get(['data', 'value']))}`)
        .join()}`,
  )
}

test('the packages of a state are those that render makes, with the objects that a cluster gets', () => {
  expect(shown(stateOfFiles(FLEET))).toEqual(['edge/a a=one', 'edge/b a=two'])
})

test('a package is asked about by its Kptfile and folder, and left out if it is not wanted', () => {
  const asked: string[] = []
  const found = shown(stateOfFiles(FLEET), ({ kind }, folder) => {
    asked.push(`${kind} ${folder}`)
    return folder === 'edge/b'
  })
  expect([found, asked]).toEqual([['edge/b a=two'], ['Kptfile edge/a', 'Kptfile edge/b']])
})

test('a package that the comparison kept is not rendered again, and one without a Kptfile is none', () => {
  const state = stateOfFiles(FLEET)
  const [a, b] = state.plan.steps
  if (a === undefined || b === undefined) throw new Error('must have two packages')
  const kept = packageOfTexts({ Kptfile: KPTFILE_TEXT, 'a.yaml': configText('kept', 'x') })
  expect(shown({ ...state, kept: new Map([[a, kept]]) })).toEqual(['edge/a kept=x', 'edge/b a=two'])
  expect(shown({ ...state, kept: new Map([[a, packageOfTexts({ 'a.yaml': configText('kept', 'x') })]]) })).toEqual(['edge/b a=two'])
})

const PACKAGES = renderedPackages(FLEET)

test('a package that render leaves as it is is read where it is committed, one that render changes is rendered', () => {
  const edited = {
    ...PACKAGES,
    'edge/a/Kptfile': KPTFILE_TEXT,
    'edge/a/a.yaml': configText('a', 'own'),
    'edge/b/a.yaml': configText('a', 'own'),
  }
  const newer = {
    ...FLEET,
    'catalog/web@3/Kptfile': KPTFILE_TEXT,
    'catalog/web@3/a.yaml': configText('a', 'two'),
    'catalog/web@3/b.yaml': configText('b', 'x'),
  }
  const state = stateOfFiles({ ...newer, 'fleet/b.yaml': variantText('b', 'edge/b', { revision: 3 }) }, edited)
  expect(state.plan.steps.map(({ op }) => op)).toEqual(['leave', 'update'])
  expect(shown(state)).toEqual(['edge/a a=own', 'edge/b a=own,b=x'])
})

test('the committed packages are read at once, a moved one from its former folder', () => {
  const loads: (readonly string[])[] = []
  const moved = Object.entries(PACKAGES).flatMap(([path, text]) =>
    path.startsWith('edge/b/') ? [[path.replace('/b/', '/old/'), text]] : [],
  )
  const state = stateOfFiles(FLEET, { ...PACKAGES, ...Object.fromEntries(moved) })
  if (state.committed === undefined) throw new Error('must be committed')
  const steps = state.plan.steps.map((step) => (step.folder === 'edge/b' ? { ...step, movedFrom: 'edge/old' } : step))
  const load = (folders: readonly string[]) => void loads.push(folders)
  packagesAfter({ ...state, plan: { ...state.plan, steps }, committed: { ...state.committed, load } })(ALL)
  expect(loads).toEqual([['edge/a', 'edge/old']])
})
