import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../../testdata/test-folder.ts'
import { FleetGit } from '../../git/fleet-git.ts'
import { packagePlace } from '../../lifecycle/testing/places-of.ts'
import { wantedElsewhere } from './packages-elsewhere.ts'

let root = ''
const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })

beforeEach(() => {
  root = testFolder()
  git('init', '--quiet')
  mkdirSync(join(root, 'fleet'))
})

/** Writes the Kptfile of the package of `nyc` into a folder, and lets git track the file. */
function putPackage(folder: string, fleet = 'stores'): void {
  const place = join(root, folder, 'Kptfile')
  mkdirSync(dirname(place), { recursive: true })
  const annotations = `    krm-variants.dev/package-variant: default/nyc\n    krm-variants.dev/fleet: ${fleet}\n`
  writeFileSync(place, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n  annotations:\n${annotations}`)
  git('add', folder)
}

interface Search {
  readonly made?: readonly string[]
  readonly owned?: readonly string[]
  readonly inputs?: readonly string[]
}

/** Returns the places that findings name, when the package of `nyc` is about to be made in fleet/clusters/nyc/web. */
function elsewhere({ made = [], owned = [], inputs = [] }: Search = {}): readonly string[] {
  const found = wantedElsewhere(new Map([['default/nyc', 'nyc/web']]), {
    dir: { disk: join(root, 'fleet'), shown: 'fleet' },
    out: { disk: join(root, 'fleet/clusters'), shown: 'fleet/clusters' },
    places: { owned: owned.map((folder) => packagePlace(folder, { owner: 'other' })) },
    search: { made, fleet: 'stores', isOutAsked: false, git: new FleetGit(() => join(root, 'fleet')) },
    inputs: new Set(inputs.map((folder) => join(root, folder))),
    severity: 'error',
  })
  return found.map(({ message }) => /^'(.*?)'/.exec(message)?.[1] ?? message)
}

test('a package of the fleet in another folder of the fleet is found', () => {
  putPackage('fleet/packages/nyc/web')
  expect(elsewhere()).toEqual(['fleet/packages/nyc/web'])
  expect(elsewhere({ owned: ['ams/web'] })).toEqual(['fleet/packages/nyc/web'])
})

test('a package beside the fleet is found where the fleet has no other packages: else it is most likely of a copy', () => {
  putPackage('packages/nyc/web')
  expect(elsewhere()).toEqual(['packages/nyc/web'])
  expect(elsewhere({ owned: ['ams/web'] })).toEqual([])
})

test('a package that is neither in the fleet nor beside it, or that is of another fleet, is not meant', () => {
  putPackage('other/packages/nyc/web')
  expect(elsewhere()).toEqual([])
  putPackage('fleet/packages/nyc/web', 'others')
  expect(elsewhere()).toEqual([])
})

test('a package at its place, and one that is the upstream of another, is not elsewhere', () => {
  putPackage('fleet/clusters/nyc/web')
  expect(elsewhere()).toEqual([])
  putPackage('fleet/packages/nyc/web')
  expect(elsewhere({ inputs: ['fleet/packages/nyc/web'] })).toEqual([])
})

test('a package that only the index of git has is found, unless one on disk is', () => {
  putPackage('fleet/lost/nyc/web')
  rmSync(join(root, 'fleet/lost'), { recursive: true })
  expect(elsewhere()).toEqual(['fleet/lost/nyc/web'])
  putPackage('fleet/packages/nyc/web')
  expect(elsewhere()).toEqual(['fleet/packages/nyc/web'])
})

test('a package that git does not track is found in the folders that were made for variants', () => {
  putPackage('fleet/packages/nyc/web')
  git('rm', '--quiet', '--cached', 'fleet/packages/nyc/web/Kptfile')
  expect(elsewhere()).toEqual([])
  expect(elsewhere({ made: ['packages/nyc/web'] })).toEqual(['fleet/packages/nyc/web'])
})
