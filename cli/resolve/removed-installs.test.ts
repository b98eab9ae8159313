import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// The removal of an install (seed 002 rule 26) says what requires it and what was installed for it; `resolve --prune` removes what nothing
// needs.

function packageOf(name: string, ...required: readonly string[]): string {
  const dependencies = required.map((each) => `  - package:\n      refName: ${each}.example.com\n`)
  return `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata:
  name: ${name}.example.com.1.0.0
spec:
  refName: ${name}.example.com
  version: 1.0.0
${dependencies.length === 0 ? '' : `  dependencies:\n${dependencies.join('')}`}`
}

function install(name: string): string {
  return `apiVersion: packaging.carvel.dev/v1alpha1
kind: PackageInstall
metadata:
  name: ${name}
spec:
  serviceAccountName: default-sa
  packageRef:
    refName: ${name}.example.com
    versionSelection:
      constraints: 1.0.0
`
}

const PACKAGES = [
  packageOf('shop', 'db'),
  packageOf('db', 'disk'),
  packageOf('disk'),
  packageOf('portal', 'db'),
  packageOf('kiosk', 'shop'),
  packageOf('tool'),
]

let fleet: TestRepository
beforeEach(async () => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write('packages.yaml', PACKAGES.join('---\n'))
  fleet.write('shop.yaml', install('shop'))
  expect((await fleet.run('resolve')).exitCode).toBe(0)
  fleet.commit('start')
})

const made = () =>
  existsSync(join(fleet.folder, 'dependencies.yaml')) ? readFileSync(join(fleet.folder, 'dependencies.yaml'), 'utf8') : ''
const installed = () => [...made().matchAll(/ {2}name: (\S+)/g)].map(([, name]) => name)

/** Returns the findings of a command, without its summary. */
async function findings(...args: readonly string[]): Promise<readonly string[]> {
  const { stderr, stdout } = await fleet.run(...args)
  return [...stderr.split('\n'), ...stdout.split('\n')].filter((line) => /\[[a-z-]+\]$/.test(line))
}

const DB = 'db.example.com.1.0.0'
const DISK = 'disk.example.com.1.0.0'

describe('resolve --prune', () => {
  test('removes what was installed for a package that was removed since HEAD, and what only that needs', async () => {
    fleet.remove('shop.yaml')
    const { exitCode, stdout } = await fleet.run('resolve', '--prune')
    expect([exitCode, stdout]).toEqual([0, `- dependencies.yaml\n    - PackageInstall ${DB}\n    - PackageInstall ${DISK}\n`])
    expect(made()).toBe('')
    expect(await fleet.run('resolve', '--prune')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  test('without the option nothing is removed', async () => {
    fleet.remove('shop.yaml')
    expect(await fleet.run('resolve')).toMatchObject({ exitCode: 0, stdout: '' })
    expect(installed()).toEqual([DB, DISK])
  })

  test('after the removal was committed, a revision that has the package must be named', async () => {
    fleet.remove('shop.yaml')
    fleet.commit('removed')
    expect(await findings('resolve', '--prune')).toEqual([
      `dependencies.yaml: warning: \`prune\` keeps PackageInstall ${DB}, which nothing here requires: PackageInstall shop, for which it was installed, is not here and may be in another folder; \`krm-variants resolve --prune --against REF\` removes it if REF has the owner [prune-unsafe]`,
    ])
    expect(installed()).toEqual([DB, DISK])
    expect((await fleet.run('resolve', '--prune', '--against', 'start')).exitCode).toBe(0)
    expect(installed()).toEqual([])
  })

  test('what was installed for a package of another folder stays, beside packages of people', async () => {
    fleet.remove('shop.yaml')
    fleet.write('tool.yaml', install('tool'))
    fleet.commit('elsewhere')
    expect((await fleet.run('resolve', '--prune')).exitCode).toBe(0)
    expect(installed()).toEqual([DB, DISK])
  })

  test('what another package requires stays, and belongs to that package', async () => {
    fleet.write('portal.yaml', install('portal'))
    fleet.remove('shop.yaml')
    expect((await fleet.run('resolve', '--prune')).exitCode).toBe(0)
    expect(installed()).toEqual([DB, DISK])
    expect(made()).toContain('kapp-controller.carvel.dev/owner: PackageInstall/portal')
  })

  test('what people edited stays, and what it needs', async () => {
    fleet.replace('dependencies.yaml', 'spec:\n  serviceAccountName: default-sa', 'spec:\n  serviceAccountName: ops-sa')
    fleet.commit('edited')
    fleet.remove('shop.yaml')
    expect(await findings('resolve', '--prune')).toContain(
      `dependencies.yaml: warning: \`prune\` keeps PackageInstall ${DB}, which nothing here requires: people changed \`spec.serviceAccountName\` [prune-unsafe]`,
    )
    expect(installed()).toEqual([DB, DISK])
  })

  test.each([
    [['--against', 'start'], '`--against` must come with --prune'],
    [['--prune', '--against', ''], '`--against` must name a git revision, such as origin/main, got an empty text'],
    [['--prune', '--against', 'lost'], "--against 'lost': git knows no such revision"],
  ])('%j is refused', async (options, message) => {
    const { exitCode, stderr } = await fleet.run('resolve', ...options)
    expect([exitCode, stderr]).toEqual([1, `krm-variants: ${message}\n`])
  })

  test('outside of a repository an owner that is not here may be elsewhere', async () => {
    fleet.remove('.git')
    fleet.remove('shop.yaml')
    expect((await fleet.run('resolve', '--prune')).exitCode).toBe(0)
    expect(installed()).toEqual([DB, DISK])
  })
})

describe('check --against', () => {
  test('names what was installed for a removed package, and what prune removes of it', async () => {
    fleet.remove('shop.yaml')
    const left = (name: string) =>
      `dependencies.yaml: info: PackageInstall ${name} was installed for PackageInstall shop, which is removed; nothing else requires it, and \`prune\` removes it [removal-leaves]`
    expect(await findings('check', '--against', 'start')).toEqual([left(DB), left(DISK)])
    expect(await findings('check')).toEqual([])
  })

  test('names the packages that require the removed package, with the line', async () => {
    fleet.write('kiosk.yaml', install('kiosk'))
    fleet.commit('kiosk')
    fleet.remove('shop.yaml')
    expect(await findings('check', '--against', 'kiosk')).toEqual([
      `dependencies.yaml: info: PackageInstall ${DB} was installed for PackageInstall shop, which is removed; nothing else requires it, and \`prune\` removes it [removal-leaves]`,
      `dependencies.yaml: info: PackageInstall ${DISK} was installed for PackageInstall shop, which is removed; nothing else requires it, and \`prune\` removes it [removal-leaves]`,
      'packages.yaml:50:5: error: kiosk.example.com 1.0.0 requires shop.example.com (packages.yaml:50), which is not installed: shop.example.com 1.0.0 satisfies every requirement on it [dependency-missing]',
      'packages.yaml:50:5: warning: kiosk.example.com 1.0.0 requires shop.example.com (packages.yaml:50), and PackageInstall shop, which installed it, is removed [removal-breaks]',
    ])
  })

  test('says nothing of a package that another object installs now', async () => {
    fleet.write('kiosk.yaml', install('kiosk'))
    fleet.commit('kiosk')
    fleet.write('shop.yaml', install('shop').replace('  name: shop', '  name: store'))
    const found = await findings('check', '--against', 'kiosk')
    expect(found.filter((line) => line.includes('removal-breaks'))).toEqual([])
  })
})
