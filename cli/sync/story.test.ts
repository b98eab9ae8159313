import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const RECIPE = readFileSync(new URL('../../docs/recipes/gitops.md', import.meta.url), 'utf8')

/** Returns the arguments of the command in a row of the table of the recipe, for a system. */
function commandOf(row: string, system: string): readonly string[] {
  const [, command = ''] = new RegExp(`^\\| ${row} \\| .*?\`krm-variants ([^\`]+)\``, 'm').exec(RECIPE) ?? []
  return command.replace('flux', system).split(' ')
}

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [{repo: catalog, package: dns, revision: 1}]
  targets:
  - repositorySelector: {matchLabels: {deploy: "true"}}
`

const cluster = (name: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}, labels: {deploy: "true"}}
spec:
  type: git
  deployment: true
  git: {repo: "https://git.example.com/fleet.git", branch: main, directory: packages/${name}}
`

test.each(['flux', 'argocd', 'config-sync'])(
  'the story of the recipe holds for %s: nothing of people is lost, no object goes early',
  async (system) => {
    const folder = testFolder()
    const fleet = new TestRepository(folder)
    const objects = () => readdirSync(join(folder, 'fleet', system)).filter((name) => name.includes('-dns'))
    const run = async (row: string, ...more: readonly string[]) => {
      const { exitCode, stderr } = await fleet.run(...commandOf(row, system), ...more)
      expect({ row, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ row, exitCode: 0, stderr: '' })
      return stderr
    }
    fleet.write('fleet/matrix.yaml', MATRIX)
    for (const name of ['ber', 'ham']) fleet.write(`fleet/${name}.yaml`, cluster(name))
    fleet.write('fleet/catalog/dns@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
    fleet.write('fleet/catalog/dns@v1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\n')
    await run('first day')
    fleet.commit('first')
    expect(objects()).toHaveLength(2)
    const [first = ''] = objects()
    fleet.replace(`fleet/${system}/${first}`, 'spec:\n', 'spec:\n  byPerson: true\n')
    await run('a change of a package')
    fleet.write('fleet/muc.yaml', cluster('muc'))
    await run('first day')
    fleet.commit('third')
    expect(objects()).toHaveLength(3)
    expect(readFileSync(join(folder, 'fleet', system, first), 'utf8')).toContain('  byPerson: true\n')
    fleet.remove('fleet/muc.yaml')
    expect(await run('first day')).toContain('commit and apply this state first; then --remove muc-dns')
    fleet.commit('left')
    await run('first day', '--remove', 'muc-dns')
    expect(objects()).toHaveLength(2)
    fleet.commit('removed')
    await run('leave the system')
    // A RootSync without its annotation deletes nothing, so the first run removes it.
    if (system !== 'config-sync') expect(objects()).toHaveLength(2)
    fleet.commit('settled')
    await run('leave the system')
    expect(readdirSync(join(folder, 'fleet'))).not.toContain(system)
  },
)
