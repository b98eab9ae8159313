import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { runProgram } from '../run-program.ts'
import { GO } from './present-hosts.ts'
import { randomNumbers, randomPackage } from './random-packages.ts'
import { CLUSTERS, renderedFleet } from './rendered-fleet.ts'

// The files that Argo CD reads for the Applications that `sync` writes, by the matching of patterns of Argo CD 3.5.7 (util/glob).

/** How many random fleets are judged; `FLEETS` names another number. */
const FLEETS = Number(process.env.FLEETS ?? 12)

const program = join(mkdtempSync(join(tmpdir(), 'krm-variants-argocd-')), 'argocd-files')

function filesRead(exclude: string, paths: readonly string[]): readonly string[] {
  const { stdout, stderr, status } = spawnSync(program, { input: `${JSON.stringify({ exclude, paths })}\n`, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Returns true if a file has an object that clusters get. */
function hasObjects(text: string): boolean {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .some((value) => value?.kind !== undefined && value.metadata?.annotations?.['config.kubernetes.io/local-config'] !== 'true')
}

describe.skipIf(!GO.present)("with Argo CD's patterns", () => {
  beforeAll(async () => {
    const { stderr, exitCode } = await runProgram('go', ['build', '-C', 'e2e/hosts/argocd-files', '-o', program, '.'])
    if (exitCode !== 0) throw new Error(stderr)
  })
  afterAll(() => rmSync(join(program, '..'), { recursive: true }))

  test(`an Application reads each file with objects for the cluster, and no other (${FLEETS} random fleets)`, async () => {
    let count = 0
    for (let seed = 1; seed <= FLEETS; seed++) {
      const random = randomNumbers(seed + 1000)
      const fleet = await renderedFleet({ one: randomPackage(random), two: randomPackage(random) })
      const { exitCode, stderr } = await fleet.run('sync', 'fleet', '--for', 'argocd', '--out', 'packages')
      expect({ seed, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ seed, exitCode: 0, stderr: '' })
      const applications = readdirSync(join(fleet.folder, 'fleet/argocd'))
      expect(applications).toHaveLength(2 * CLUSTERS.length)
      for (const name of applications) {
        const { source } = parse(readFileSync(join(fleet.folder, 'fleet/argocd', name), 'utf8')).spec
        // A package with a chart in its root is built.
        if (source.directory === undefined) continue
        const folder = join(fleet.folder, source.path)
        const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        const paths = files.map(({ parentPath, name: file }) => join(parentPath, file).slice(folder.length + 1))
        const wanted = paths.filter((path) => /\.(ya?ml|json)$/.test(path) && hasObjects(readFileSync(join(folder, path), 'utf8')))
        expect({ seed, name, files: filesRead(source.directory.exclude, paths).toSorted() }).toEqual({
          seed,
          name,
          files: wanted.toSorted(),
        })
        count += wanted.length
      }
    }
    console.log(`${FLEETS} fleets, ${count} files`)
    expect(count).toBeGreaterThan(FLEETS)
  })
})
