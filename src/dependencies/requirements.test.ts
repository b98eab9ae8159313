import { expect, test } from 'vitest'
import { planOn } from '../../testdata/conformance-runner/dependencies/plans.ts'
import { digest, packageObject, READER, read } from './crossplane/testing/objects.ts'
import { install, needs, packageWith } from './plan/testing/carvel-plans.ts'
import { type DependentRequirement, describeKind, describeRequirement, type RequirementsOn, requirementsByPackage } from './requirements.ts'

const HELM = 'xpkg.example.org/acme/helm'

/** Returns the requirements on helm of some Configurations `app-0`, `app-1` …, each with the versions of helm that it requires. */
function requirementsOnHelm(...wanted: readonly string[]): RequirementsOn {
  const catalog = wanted.map((version, i) => ({
    id: `xpkg.example.org/acme/app-${i}`,
    kind: 'Configuration',
    versions: [{ version: 'v1.0.0', dependencies: [{ provider: HELM, version }] }],
  }))
  const objects = wanted.map((_, i) => packageObject(`app-${i}`, `xpkg.example.org/acme/app-${i}:v1.0.0`, {}, 'Configuration'))
  const found = [...requirementsByPackage(read(objects, catalog).index)].find(([{ id }]) => id === HELM)
  if (found === undefined) throw new Error('nothing requires helm')
  return found[1]
}

const version = (text: string) => {
  const found = READER.version(text)
  if (found === undefined) throw new Error(`${text} is no version`)
  return found
}
const namesOf = (each: readonly DependentRequirement[]) => each.map(({ dependent }) => dependent.id.replace(/^.*\//, ''))

test('a range and a digest that several packages require are kept once, each with all that require them', () => {
  const all = requirementsOnHelm('>=v1.0.0', '<v2.0.0', '>=v1.0.0', digest('a'), digest('a'), digest('b'))
  expect(namesOf(all.wanting)).toEqual(['app-0', 'app-1', 'app-2', 'app-3', 'app-4', 'app-5'])
  expect(namesOf(all.ranged)).toEqual(['app-0', 'app-1', 'app-2'])
  expect(all.ranges.map(({ text }) => text)).toEqual(['>=v1.0.0', '<v2.0.0'])
  expect([...all.digests]).toEqual([digest('a'), digest('b')])
})

test('a requirement of any version is none of those that want a version', () => {
  const all = requirementsOnHelm('>=v1.0.0')
  const [known] = all.wanting
  if (known === undefined) throw new Error('there is one')
  const any = { ...known.requirement, range: undefined, digest: undefined }
  all.add({ dependent: known.dependent, requirement: any })
  expect([all.wanting.length, all.ranged.length, all.has(any), all.has(known.requirement)]).toEqual([1, 1, false, true])
})

test('alternatives and kinds require no version of one package', () => {
  const site = { gvk: { group: 'x.io', version: 'v1', kind: 'Site' } }
  const app = packageWith('a', '1.0.0', { dependencies: [{ or: [needs('b'), needs('c')] }, site, needs('d')] })
  const [index] = planOn([app, install('a', '1.0.0')]).readings.indexes
  const found = index && [...requirementsByPackage(index)].map(([{ id }, { wanting }]) => [id, wanting.length])
  expect(found).toEqual([['d.example.com', 1]])
})

test('every range must select a version, and those that do not break', () => {
  const all = requirementsOnHelm('>=v1.0.0', '<v2.0.0', '>=v3.0.0', '<v2.0.0')
  expect(all.allSelect(version('v1.5.0'))).toBe(false)
  expect(requirementsOnHelm('>=v1.0.0', '<v2.0.0').allSelect(version('v1.5.0'))).toBe(true)
  expect(namesOf(all.breaking(version('v1.5.0')))).toEqual(['app-2'])
  expect(namesOf(all.breaking(version('v2.5.0')))).toEqual(['app-1', 'app-2', 'app-3'])
  expect(namesOf(all.breaking(version('v0.1.0')))).toEqual(['app-0', 'app-2'])
  const asked = version('v0.2.0')
  expect(all.breaking(asked)).toBe(all.breaking(asked))
})

test('a digest breaks no version: another rule compares it', () => {
  const all = requirementsOnHelm(digest('a'))
  expect([all.allSelect(version('v1.0.0')), all.breaking(version('v1.0.0'))]).toEqual([true, []])
})

test('a requirement is described with its range in quotes, its digest without, and its place', () => {
  const [ranged, digested] = requirementsOnHelm('>=v1.0.0', digest('a')).wanting
  if (ranged === undefined || digested === undefined) throw new Error('there are two')
  expect(describeRequirement(ranged)).toMatch(/^\S+app-0 v1\.0\.0 requires xpkg\.example\.org\/acme\/helm ">=v1\.0\.0" \(object\.yaml.*\)$/)
  expect(describeRequirement(digested)).toMatch(/ requires xpkg\.example\.org\/acme\/helm sha256:a{64} \(object\.yaml.*\)$/)
  const any = { ...ranged.requirement, place: ranged.requirement.place, range: undefined }
  expect(describeRequirement({ ...ranged, requirement: any })).toMatch(/ requires xpkg\.example\.org\/acme\/helm \(object\.yaml.*\)$/)
})

test('a kind is described by its apiVersion, or by the name of its definition', () => {
  expect(describeKind({ apiVersion: 'example.org/v1', kind: 'Bucket' })).toBe('example.org/v1 Bucket')
  expect(describeKind({ definition: 'buckets.example.org' })).toBe('buckets.example.org')
})
