import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ham}, {name: ber}]
`

function makeFleet(): TestRepository {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('set.yaml', SET)
  return fleet
}

test('a fleet that was rendered before the first commit of its repository is rendered after it, and after its first remote', async () => {
  const fleet = makeFleet()
  const render = () => fleet.run('render', '.', '--out', 'clusters')
  const names = () => fleet.git('grep', '--no-index', '-h', '-o', '-E', 'dev/fleet: .*', '--', 'clusters').split('\n')
  expect((await render()).exitCode).toBe(0)
  expect(names()[0]).toMatch(/dev\/fleet: folder:/)
  fleet.commit('first')
  expect((await render()).exitCode).toBe(0)
  expect(names()).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/dev\/fleet: commit:/)))
  fleet.git('remote', 'add', 'origin', 'https://git.example.com/team/fleet.git')
  expect((await render()).exitCode).toBe(0)
  expect(names()).toEqual(Array.from({ length: 2 }, () => 'dev/fleet: git.example.com/team/fleet//'))
  // A fork keeps the name in the packages.
  fleet.git('remote', 'set-url', 'origin', 'https://git.example.com/anna/fleet.git')
  expect(await render()).toMatchObject({ exitCode: 0, stdout: '2 packages: 2 unchanged\n' })
  fleet.git('remote', 'set-url', 'origin', 'https://git.example.com/anna/other.git')
  expect(await render()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('[other-fleet]') })
})

test('a fleet that was rendered before the first commit is rendered in a clone of another name, and in no repository around it', async () => {
  const fleet = makeFleet()
  await fleet.run('render', '.', '--out', 'clusters')
  fleet.commit('first')
  const clone = fleet.copyTo(join(testFolder(), 'checkout'))
  expect((await clone.run('plan', '.', '--packages', 'clusters')).exitCode).toBe(2)
  expect(await clone.run('render', '.', '--out', 'clusters')).toMatchObject({ exitCode: 0, stdout: '2 packages: 2 updated\n' })
  const [outer, inner] = [testFolder(), 'other']
  fleet.copyTo(join(outer, inner)).remove('.git')
  const around = new TestRepository(outer)
  around.commit('first')
  expect(await around.run('render', inner, '--out', `${inner}/clusters`)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('[other-fleet]'),
  })
})
