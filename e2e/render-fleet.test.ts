import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { differingFiles, readFolder } from './folder-copy.ts'
import { commit, git } from './render/catalog.ts'
import { askForNewTenant, editPackages, LOYALTY, TILLS } from './render/edits.ts'
import { makeWorkspace, meaningOf, render, type Workspace } from './render/workspace.ts'
import { type Finished, runProgram } from './run-program.ts'

const KPT = process.env.KPT ?? 'kpt'

/** October: the variants as they stand, made packages, in which people work since. */
async function renderOctober(): Promise<Workspace> {
  const workspace = await makeWorkspace()
  expect(said(await render(workspace, '--no-fan-out'))).toEqual({ stdout: '21 packages: 21 created\n', stderr: '', exitCode: 0 })
  editPackages(workspace.clusters)
  await commit(workspace.root, 'October')
  return workspace
}

/** November: what the sets ask for since, and another revision of tenant. */
async function renderNovember(workspace: Workspace): Promise<Finished> {
  askForNewTenant(workspace.fleet)
  return render(workspace)
}

function said({ stdout, stderr, exitCode }: Finished): object {
  return { stdout: stdout.toString(), stderr, exitCode }
}

function at({ clusters }: Workspace): (path: string) => string {
  return (path) => readFileSync(join(clusters, path), 'utf8')
}

test("people's edits stay where upstream did not touch the same field, and the upstream's changes come", async () => {
  const workspace = await renderOctober()
  const { stdout, stderr } = await renderNovember(workspace)
  expect(stdout.toString()).toBe('23 packages: 3 created, 6 updated, 14 unchanged; 1 left to themselves; 1 edit lost\n')
  const [comment, lost, ...others] = stderr.split('\n').filter((line) => line.includes(': warning: '))
  expect(comment).toMatch(/quota\.yaml:9:11: warning: `spec\.hard\.pods` has the comment '# for the autumn sale' here, which stays/)
  expect(lost).toMatch(
    /quota\.yaml:9:11: warning: `spec\.hard\.pods` is '25' here; upstream changed it to '40' \(.*tenant\/quota\.yaml:7:11\)/,
  )
  expect(others).toEqual([])
  const read = at(workspace)
  expect(read(`${LOYALTY}/quota.yaml`)).toContain(
    '    pods: "40" # for the autumn sale\n    requests.cpu: "4" # two nodes\n    requests.memory: 16Gi\n    services.loadbalancers: "1"\n',
  )
  expect(read(`${LOYALTY}/namespace.yaml`)).toMatch(/^# Run by the loyalty team\.\n/)
  expect(read(`${LOYALTY}/Kptfile`)).toContain('  validators:\n  # Nothing may be missing.\n  - exec: ')
  expect(read(`${LOYALTY}/limits.yaml`)).toContain('kind: LimitRange')
  expect(read(`${TILLS}/tills.yaml`)).toContain('value: digital # no printers since the fair')
  expect(read(`${TILLS}/tills.yaml`)).toContain('image: registry.example.com/tills:2026.1')
  expect(read(`${TILLS}/service.yaml`)).toContain('port: 443 # the firewall knows it')
  expect(read(`${TILLS}/Kptfile`)).toContain('  - image: example.com/own-labels:v1 # ours\n')
  expect(read(`${TILLS}/open.sh`)).toContain('rollout status')
  expect(statSync(join(workspace.clusters, TILLS, 'open.sh')).mode & 0o777).toBe(0o755)
  const there = [`${LOYALTY}/network-policy.yaml`, `${TILLS}/printer.yaml`, `${TILLS}/scanners.yaml`, `${TILLS}/hours.yaml`]
  expect(there.map((path) => existsSync(join(workspace.clusters, path)))).toEqual([false, false, true, true])
})

test('only files that differ are written, every other one stays the file that it was', async () => {
  const workspace = await renderOctober()
  const [before, places] = [readFolder(workspace.clusters), inodesIn(workspace.clusters)]
  await renderNovember(workspace)
  const after = inodesIn(workspace.clusters)
  const written = [...after].filter(([path, inode]) => places.get(path) !== inode).map(([path]) => path)
  const present = differingFiles(before, readFolder(workspace.clusters)).filter((path) => after.has(path))
  expect(written.sort()).toEqual(present)
  expect(written.length).toBeGreaterThan(0)
})

/** A file that is written is another one, since it takes the place of the old. */
function inodesIn(folder: string): ReadonlyMap<string, number> {
  return new Map([...readFolder(folder).keys()].map((path) => [path, statSync(join(folder, path)).ino]))
}

test('a third run changes nothing', async () => {
  const workspace = await renderOctober()
  await renderNovember(workspace)
  const before = readFolder(workspace.clusters)
  expect(said(await render(workspace))).toEqual({ stdout: '23 packages: 23 unchanged\n', stderr: '', exitCode: 0 })
  expect(differingFiles(before, readFolder(workspace.clusters))).toEqual([])
})

test('the commit of the tag that Porch wrote is in the lock', async () => {
  const workspace = await renderOctober()
  const { upstreamLock } = parse(at(workspace)(`${LOYALTY}/Kptfile`))
  const commit = await git(workspace.catalog, 'rev-parse', 'tenant/v1')
  expect(upstreamLock.git).toEqual({ repo: workspace.catalog, directory: '/tenant', ref: 'tenant/v1', commit })
})

test('kpt renders packages with the functions that people added, and that is no change to render', async () => {
  const workspace = await renderOctober()
  for (const path of [LOYALTY, 'hub-south/loyalty']) {
    const { stderr, exitCode } = await runProgram(KPT, ['fn', 'render', join(workspace.clusters, path), '--allow-exec'])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  }
  const rendered = readFolder(workspace.clusters)
  expect(said(await render(workspace, '--no-fan-out'))).toEqual({ stdout: '21 packages: 21 unchanged\n', stderr: '', exitCode: 0 })
  expect(differingFiles(rendered, readFolder(workspace.clusters))).toEqual([])
})

test('kpt pkg update makes of a package what render makes of it', async () => {
  const workspace = await renderOctober()
  await renderNovember(workspace)
  const meanings = () => [LOYALTY, TILLS].map((path) => meaningOf(readFolder(join(workspace.clusters, path))))
  const ours = meanings()
  await git(workspace.root, 'checkout', '--quiet', '.')
  await git(workspace.root, 'clean', '--quiet', '--force', '-d')
  for (const target of [`${LOYALTY}@v2`, `${TILLS}@v3`]) {
    const command = `cd "$0" && exec "$1" pkg update "$2"`
    const { stderr, exitCode } = await runProgram('sh', ['-c', command, workspace.clusters, KPT, target])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  }
  expect(meanings()).toEqual(ours)
})
