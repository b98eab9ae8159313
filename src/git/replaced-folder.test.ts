import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { configMapText } from '../../testdata/written-objects.ts'
import { replacedObjects } from './replaced-folder.ts'

/** Returns a repository whose last commit has files below `fleet/clusters`. */
function repositoryOf(files: Readonly<Record<string, string>>): TestRepository {
  const repository = new TestRepository(testFolder())
  for (const [path, text] of Object.entries(files)) repository.write(`fleet/clusters/${path}`, text)
  repository.commit('files')
  return repository
}

/** Puts a link to nothing in the place of the folder. */
function replaceFolder({ folder }: TestRepository, target = '/nowhere/clusters'): void {
  renameSync(join(folder, 'fleet/clusters'), join(testFolder(), 'clusters'))
  symlinkSync(target, join(folder, 'fleet/clusters'))
}

const before = ({ folder }: TestRepository, path = 'fleet/clusters') => replacedObjects(folder, folder)(join(folder, path))

test.each([
  ['an object', { 'eu/ber.yaml': configMapText('ber') }, 'eu/ber.yaml'],
  ['no object', { 'a.yaml': 'replicas: 1\n', 'README.md': configMapText('ber') }, undefined],
  ['a package', { Kptfile: 'kind: Kptfile\n', 'eu/a.yaml': configMapText('ber') }, undefined],
  ['a package and an object beside', { 'web/Kptfile': '', 'web/a.yaml': configMapText('a'), 'ber.yaml': configMapText('ber') }, 'ber.yaml'],
  ['a chart', { 'app/Chart.yaml': 'name: app\n', 'app/templates/a.yaml': configMapText('ber') }, undefined],
])('a link in the place of a folder with %s', (_, files, expected) => {
  const repository = repositoryOf(files)
  replaceFolder(repository)
  expect(before(repository)).toBe(expected)
})

test('a link that is committed, and led elsewhere since, is in the place of what was there before', () => {
  const repository = repositoryOf({ 'ber.yaml': configMapText('ber') })
  replaceFolder(repository)
  repository.commit('a link')
  expect(before(repository)).toBe('ber.yaml')
  repository.remove('fleet/clusters')
  symlinkSync('/elsewhere', join(repository.folder, 'fleet/clusters'))
  repository.commit('another link')
  expect(before(repository)).toBe('ber.yaml')
})

test('each of several committed links is in the place of what it replaced, in the folder that is read', () => {
  const repository = repositoryOf({ 'a/eu.yaml': configMapText('eu'), 'b/us.yaml': configMapText('us'), 'c.yaml': configMapText('c') })
  const replace = (path: string) => {
    rmSync(join(repository.folder, 'fleet/clusters', path), { recursive: true, force: true })
    symlinkSync('/nowhere', join(repository.folder, 'fleet/clusters', path))
    repository.commit(`a link ${path}`)
  }
  for (const path of ['a', 'b', 'new', 'c.yaml']) replace(path)
  const inFleet = replacedObjects(join(repository.folder, 'fleet'), repository.folder)
  const found = ['a', 'b', 'new', 'c.yaml'].map((path) => inFleet(join(repository.folder, 'fleet/clusters', path)))
  expect(found).toEqual(['eu.yaml', 'us.yaml', undefined, undefined])
})

test('a link that was removed and made again is in the place of nothing', () => {
  const repository = repositoryOf({ 'ber.yaml': configMapText('ber') })
  replaceFolder(repository)
  repository.commit('a link')
  repository.remove('fleet/clusters')
  repository.commit('no link')
  symlinkSync('/nowhere', join(repository.folder, 'fleet/clusters'))
  repository.commit('a link again')
  expect(before(repository)).toBeUndefined()
})

test('a link that was there from the beginning, or that git does not have, is in the place of nothing', () => {
  const repository = new TestRepository(testFolder())
  symlinkSync('/nowhere', join(repository.folder, 'data'))
  repository.commit('a link')
  symlinkSync('/nowhere', join(repository.folder, 'result'))
  expect(['data', 'result'].map((path) => before(repository, path))).toEqual([undefined, undefined])
})

test('without a commit, nothing is known of a link', () => {
  const repository = new TestRepository(testFolder())
  symlinkSync('/nowhere', join(repository.folder, 'data'))
  expect(before(repository, 'data')).toBeUndefined()
})
