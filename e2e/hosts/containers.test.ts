import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { copyFolder, differingFiles, readFolder } from '../folder-copy.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { EXAMPLES, FUNCTIONS, goldenCasesOf } from './functions.ts'
import { buildImages, FAMILY_IMAGE, imageOf, inspectImage, runGoldenCases, runImage } from './images.ts'
import { kptMust, type Render, render, renderUntilClean, replaceBundles } from './kpt.ts'
import { CONTAINERS, KPTS } from './present-hosts.ts'

const EMPTY_LIST = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n'
const MEGABYTES = 1_000_000
const MAX_SIZE = 12 * MEGABYTES
// Milliseconds, and what a machine that is busy with other things may need: half of what it takes an empty container.
const MAX_START = 100
const maxStart = (empty: number) => Math.max(MAX_START, empty / 2)
const NEVER_PULL = ['--image-pull-policy', 'never']
const ROUNDS = 2
const MAX_ROUNDS = 20

describe.skipIf(!CONTAINERS.present)('containers', () => {
  let base = ''
  beforeAll(async () => {
    base = await buildImages()
  })

  describe.each(FUNCTIONS)('the image of %s', (name) => {
    test('is Node and one start-up snapshot, runs as a numeric user, and needs no shell', async () => {
      const entrypoint = JSON.parse(await inspectImage(imageOf(name), '{{json .Config.Entrypoint}}'))
      expect(entrypoint).toEqual(['node', '--snapshot-blob', '/program.blob', 'program'])
      expect(await inspectImage(imageOf(name), '{{json .Config.Cmd}}')).toBe('null')
      expect(await inspectImage(imageOf(name), '{{.Config.User}}')).toMatch(/^[1-9][0-9]*$/)
      const bytes = Number(await inspectImage(imageOf(name), '{{.Size}}')) - Number(await inspectImage(base, '{{.Size}}'))
      console.log(`${name}: ${(bytes / MEGABYTES).toFixed(1)} MB beside the Node base`)
      expect(bytes).toBeLessThanOrEqual(MAX_SIZE)
    })

    test('starts in a tenth of a second more than an empty Node container', async () => {
      const { image, empty } = await fastestStarts(name, base)
      console.log(`${name}: starts in ${image.toFixed(0)} ms, an empty Node container in ${empty.toFixed(0)} ms`)
      expect(image - empty).toBeLessThanOrEqual(maxStart(empty))
    })

    test.each(KPTS)('says in %s fn doc what it is for', async (kpt) => {
      const { stdout } = await runProgram(bundlePath(name), ['--help'])
      expect((await kptMust(kpt, ['fn', 'doc', '--image', imageOf(name)])).trim()).toBe(stdout.toString().trim())
    })

    test('writes what every golden case records, without network, rights and a place to write', async () => {
      const goldens = goldenCasesOf(name)
      const made = await runGoldenCases(imageOf(name), join(ROOT, 'testdata', name))
      for (const { name: golden, exitCode, expectedFile } of goldens) {
        const { stdout = '', ...rest } = made.get(basename(golden)) ?? {}
        const output = Buffer.from(stdout, 'base64').toString('latin1')
        expect({ golden, ...rest, output }).toEqual({ golden, exitCode, output: readFileSync(expectedFile, 'latin1') })
      }
      expect(new Set(goldens.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 1]))
    })

    test('is a function of the one image of all, too', async () => {
      const [golden] = goldenCasesOf(name)
      const { stdout, exitCode } = await runImage(FAMILY_IMAGE, ['fn', name], golden?.input ?? '')
      const expected = readFileSync(golden?.expectedFile ?? '', 'utf8')
      expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: golden?.exitCode, stdout: expected })
    })
  })

  describe.each(KPTS)('%s', (kpt) => {
    test.each(EXAMPLES)('renders %s with images as it does with bundles', async (example) => {
      const [withImages, withBundles] = [copyFolder(example), copyFolder(example)]
      replaceBundles(withImages, (name) => `image: ${imageOf(name)}`)
      replaceBundles(withBundles, (name) => `exec: dist/${name}.mjs`)
      const { results, exitCode } = await render(kpt, withImages, ...NEVER_PULL)
      expect({ results, exitCode }).toEqual(pick(await render(kpt, withBundles, '--allow-exec')))
      replaceBundles(withBundles, (name) => `image: ${imageOf(name)}`)
      expect(differingFiles(readFolder(withImages), readFolder(withBundles))).toEqual([])
    })

    test("renders the repository's own Kptfile with images, and then only runs what the first render put into pipelines", async () => {
      const root = copyRoot()
      replaceBundles(root, (name) => `image: ${imageOf(name)}`)
      const [committed, first, second] = await renderUntilClean(kpt, root, ...NEVER_PULL)
      const prepended = [...differingKptfiles(committed, first)].map((kptfile) => kptfile.replace(/Kptfile$/, ''))
      const changed = differingFiles(first ?? new Map(), second ?? new Map())
      expect(changed.filter((path) => !prepended.some((folder) => path.startsWith(folder)))).toEqual([])
    })
  })
})

function pick({ results, exitCode }: Render): Pick<Render, 'results' | 'exitCode'> {
  return { results, exitCode }
}

/** The repository as kpt sees it: the Kptfile at its top, and examples/. */
function copyRoot(): string {
  const examples = copyFolder('examples')
  const root = join(examples, '../root')
  cpSync(examples, join(root, 'examples'), { recursive: true })
  for (const file of ['Kptfile', '.krmignore']) cpSync(join(ROOT, file), join(root, file))
  return root
}

function differingKptfiles(a: ReadonlyMap<string, string> = new Map(), b: ReadonlyMap<string, string> = new Map()): string[] {
  return differingFiles(a, b).filter((path) => path.endsWith('/Kptfile'))
}

/**
 * Milliseconds of the fastest of several starts of the image on an empty list, and of bare Node in the base image, taken in turns:
 * as many as it takes on a busy machine.
 */
async function fastestStarts(name: string, base: string): Promise<{ readonly image: number; readonly empty: number }> {
  let [image, empty] = [Infinity, Infinity]
  for (let round = 0; round < MAX_ROUNDS && (round < ROUNDS || image - empty > maxStart(empty)); round++) {
    image = Math.min(image, await milliseconds(() => runImage(imageOf(name), [], EMPTY_LIST)))
    empty = Math.min(empty, await milliseconds(() => runImage(base, ['-e', '0'], EMPTY_LIST)))
  }
  return { image, empty }
}

async function milliseconds(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
