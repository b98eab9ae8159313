import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { buildImages, imageOf } from './images.ts'
import { readFiles } from './markdown.ts'
import { CONTAINERS, KUSTOMIZE } from './present-hosts.ts'

const RECIPE = readFiles(readFileSync(join(ROOT, 'docs/recipes/kustomize.md'), 'utf8'))
const VARIANTS = ['tills-store-ham-01-tills', 'tills-store-muc-01-tills']

const PROVIDER = 'apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: '

/** Puts the files of the recipe into a folder, with `change` made to each text; the programs lie where the recipe puts them. */
function recipe(change: (text: string, path: string) => string = (text) => text): string {
  const folder = testFolder()
  for (const [path, text] of RECIPE) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), change(text, path).replaceAll('./fan-out.mjs', bundlePath('fan-out')))
  }
  return folder
}

async function build(folder: string, ...options: readonly string[]): Promise<{ yaml: string; stderr: string; exitCode: number | null }> {
  const args = ['build', '--enable-alpha-plugins', ...options, folder]
  const { stdout, stderr, exitCode } = await runProgram(KUSTOMIZE.present ? KUSTOMIZE.program : '', args)
  return { yaml: stdout.toString(), stderr, exitCode }
}

/** Kind and name of every object of a stream. */
function objectsIn(yaml: string): string[] {
  return parseAllDocuments(yaml).map((document) => `${document.get('kind')} ${document.getIn(['metadata', 'name'])}`)
}

describe.skipIf(!KUSTOMIZE.present)('kustomize', () => {
  test('runs fan-out as a transformer', async () => {
    const { yaml, stderr, exitCode } = await build(join(recipe(), 'fleet'), '--enable-exec')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(objectsIn(yaml)).toEqual([
      ...VARIANTS.map((name) => `PackageVariant ${name}`),
      'Repository store-ham-01',
      'Repository store-muc-01',
      'PackageVariantSet tills',
    ])
  })

  test('runs fan-out as a generator, and drops the set that it was configured with', async () => {
    const { yaml, stderr, exitCode } = await build(join(recipe(), 'generated'), '--enable-exec')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(objectsIn(yaml)).toEqual(VARIANTS.map((name) => `PackageVariant ${name}`))
  })

  test('builds the same from its own output', async () => {
    const first = await build(join(recipe(), 'fleet'), '--enable-exec')
    const again = recipe((text, path) => (path === 'fleet/set.yaml' ? first.yaml : text.replace('  - repositories.yaml\n', '')))
    expect(await build(join(again, 'fleet'), '--enable-exec')).toEqual(first)
  })

  test.each(['fleet', 'generated'])('shows every error of %s on stderr, and builds nothing', async (name) => {
    const folder = recipe((text) => text.replace('revision: 3', 'revision: 3.5').replace(/(repositorySelector|repositories):/, 'repos:'))
    const { yaml, stderr, exitCode } = await build(join(folder, name), '--enable-exec')
    expect({ yaml, exitCode }).toEqual({ yaml: '', exitCode: 1 })
    const errors = stderr.split('\n').filter((line) => line.includes(': error: '))
    expect(errors.map((line) => line.match(/^PackageVariantSet tills: error: `(\S+)` .*\[\S+\]$/)?.[1])).toEqual(
      expect.arrayContaining(['spec.targets[0].repos', 'spec.upstream.revision']),
    )
  })

  test('runs check-dependencies as a transformer: it changes nothing, and an error fails the build', async () => {
    const check = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: check\n  annotations:\n    config.kubernetes.io/function: |\n      exec:\n        path: ${bundlePath('check-dependencies')}\n`
    const files = (resources: string) => (text: string, path: string) =>
      path === 'fleet/fan-out.yaml' ? check : path === 'fleet/set.yaml' ? resources : text
    const provider = (name: string, version: string) => `${PROVIDER}${name}\nspec:\n  package: xpkg.crossplane.io/a/provider-a:${version}\n`
    const good = await build(join(recipe(files(provider('a', 'v1.0.0'))), 'fleet'), '--enable-exec')
    expect({ stderr: good.stderr, exitCode: good.exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(objectsIn(good.yaml)).toContain('Provider a')
    const bad = await build(join(recipe(files(`${provider('a', 'v1.0.0')}---\n${provider('b', 'v2.0.0')}`)), 'fleet'), '--enable-exec')
    expect(bad).toMatchObject({ yaml: '', exitCode: 1, stderr: expect.stringContaining(': error: ') })
  })

  describe.skipIf(!CONTAINERS.present)('with containers', () => {
    // kustomize calls docker by that name, whatever runs containers here.
    const shims = mkdtempSync(join(tmpdir(), 'krm-variants-docker-'))
    const path = process.env.PATH
    beforeAll(async () => {
      await buildImages()
      const { stdout } = await runProgram('which', [CONTAINERS.present ? CONTAINERS.program : ''])
      symlinkSync(stdout.toString().trim(), join(shims, 'docker'))
      process.env.PATH = `${shims}:${path}`
    })
    afterAll(() => {
      process.env.PATH = path
      rmSync(shims, { recursive: true })
    })

    test('runs the image of fan-out', async () => {
      const exec = await build(join(recipe(), 'fleet'), '--enable-exec')
      const image = `container:\n        image: ${imageOf('fan-out')}`
      const folder = recipe((text) => text.replace(/exec:\n +path: \S+/, image))
      expect(await build(join(folder, 'fleet'))).toEqual(exec)
    })
  })
})
