import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFolder } from './folder-copy.ts'
import { askForNewTenant, editPackages } from './render/edits.ts'
import { makeWorkspace, render, type Workspace } from './render/workspace.ts'
import { ROOT } from './run-program.ts'

/** The Job of the recipe, and what each of its pods gets. */
const RECIPE = readFileSync(join(ROOT, 'docs/recipes/kubernetes.md'), 'utf8')
const [, MANIFEST = ''] = /```yaml\n([\s\S]*?)```/.exec(RECIPE) ?? []
const { spec } = parse(MANIFEST)
const [{ args }]: [{ readonly args: readonly string[] }] = spec.template.spec.containers

/** Runs what the pods run, all at once. */
async function renderAsJob(workspace: Workspace, ...options: readonly string[]): Promise<void> {
  const pods = Array.from({ length: spec.completions }, (_, index) =>
    args.slice(args.indexOf('--shard')).map((word) => word.replace('$(JOB_COMPLETION_INDEX)', String(index))),
  )
  const runs = await Promise.all(pods.map((shard) => render(workspace, ...shard, ...options)))
  for (const { exitCode, stderr } of runs) expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
}

test('eight pods of the recipe make and update the packages that one run makes, byte for byte', async () => {
  const [byJob, byOne] = [await makeWorkspace(), await makeWorkspace()]
  await renderAsJob(byJob, '--no-fan-out')
  await render(byOne, '--no-fan-out')
  const files = (workspace: Workspace) =>
    [...readFolder(workspace.clusters)].map(([path, text]) => [
      path,
      text.replaceAll(workspace.catalog, 'CATALOG').replaceAll(/commit:.*/g, 'commit'),
      statSync(join(workspace.clusters, path)).mode,
    ])
  expect(files(byJob).length).toBeGreaterThan(100)
  expect(files(byJob)).toEqual(files(byOne))
  for (const { clusters, fleet } of [byJob, byOne]) {
    editPackages(clusters)
    askForNewTenant(fleet)
  }
  await renderAsJob(byJob)
  await render(byOne)
  expect(files(byJob)).toEqual(files(byOne))
})
