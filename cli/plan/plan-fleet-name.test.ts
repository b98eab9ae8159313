import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SHOWN = '(krm-variants diff shows them)'

test('plan says which packages change only in the name of the fleet, as after the first commit', async () => {
  const fleet = new TestRepository(testFolder())
  await fleet.run('init', '.')
  const first = await fleet.run('plan', '.')
  expect(first.stdout).toMatch(/^Plan: 2 variants to create; packages: 2 to create \(krm-variants render --dry-run shows them\)\n/)
  await fleet.run('render', '.')
  fleet.commit('first')
  const why = "only in the name of the fleet, given by git's remote or first commit"
  const named = await fleet.run('plan', '.')
  expect(named.stdout).toContain(`Plan: 2 variants to create; packages: 2 to update, ${why} ${SHOWN}\n`)
  const markdown = await fleet.run('plan', '.', '--format', 'markdown')
  expect(markdown.stdout).toContain(`### Package variants: 2 variants to create; packages: 2 to update, ${why} ${SHOWN}\n`)
  const json = await fleet.run('plan', '.', '--format', 'json')
  expect(JSON.parse(json.stdout).packages).toMatchObject({ counts: { update: 2 }, fleetNames: 2 })
  const kptfile = 'clusters/staging/hello/Kptfile'
  fleet.write(kptfile, `${readFileSync(join(fleet.folder, kptfile), 'utf8')}---\n# the end\n`)
  expect((await fleet.run('plan', '.')).stdout).toContain(`packages: 2 to update, ${why} ${SHOWN}\n`)
  fleet.replace('clusters/prod/hello/Kptfile', 'description: A web server', 'description: A server')
  fleet.replace('fleet/hello.yaml', "? '3' : '1'", "? '4' : '1'")
  const other = await fleet.run('plan', '.')
  expect(other.stdout).toContain(`packages: 2 to update, 1 of them ${why} ${SHOWN}\n`)
  await fleet.run('render', '.')
  expect((await fleet.run('plan', '.')).stdout).toMatch(/^Plan: 2 to create\n/)
})
