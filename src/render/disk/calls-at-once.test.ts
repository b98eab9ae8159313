import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { TestFleet } from '../../../testdata/test-fleet.ts'
import type { Steps } from '../../progress.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { FolderReport } from '../render-summary.ts'
import { packageFunctions } from '../runs/package-runners.ts'
import { renderToFolder } from './render-to-folder.ts'

const ID = 'a'.repeat(64)
const SITES = ['north', 'south', 'west']

let fleet: TestFleet
let root = ''
beforeEach(() => {
  fleet = new TestFleet()
  root = fleet.root
  onTestFinished(() => fleet.remove())
  mkdirSync(join(root, 'bin'))
  fleet.write('catalog/shop@1/Kptfile', KPTFILE)
  fleet.write('catalog/shop@1/level.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: level\ndata:\n  level: info\n')
})

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: example.com/deploy:v1
  - image: example.com/deploy:v2
`

const RAISE = `sed 's/level: warn/level: error/; s/level: info/level: warn/'`

/** Puts a podman on PATH that notes the begin and the end of each container, whose program turns info into warn into error. */
function fakePodman(script = RAISE): void {
  const text = `#!/bin/sh
if [ "$1" = image ]; then echo '[{"Id": "sha256:${ID}"}]'; exit; fi
if [ "$1" != run ]; then exit; fi
echo begin >> '${root}/calls'
${script}
code=$?
echo end >> '${root}/calls'
exit $code
`
  writeFileSync(join(root, 'bin/podman'), text, { mode: 0o755 })
}

/** Returns the steps of a render of three packages. */
function steps({ items = SITES.map(variant), withoutRunner = false } = {}): Steps<FolderReport> {
  const plan = fleet.plan(items)
  const environment = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, KRM_FN_RUNTIME: 'podman' }
  const functions = packageFunctions(
    {
      own: [],
      programs: new Map(),
      allowExec: false,
      imagePrefix: undefined,
      anyVersion: false,
      folder: root,
      environment,
      seconds: 10,
      containers: withoutRunner ? undefined : { network: new Set(), keepsAnswers: false },
    },
    {},
  )
  return renderToFolder({ ...plan, functions, isDryRun: false })
}

function variant(site: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ${site}-shop
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: ${site}, package: shop}
  packageContext: {data: {site: ${site}}}
`)
}

/** Runs all steps and waits where they ask for it. */
async function waitFor(work: Steps<FolderReport>): Promise<FolderReport> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await step.value.wait?.()
  }
}

function calls(): readonly string[] {
  return readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')
}

function written(): readonly string[] {
  return SITES.map((site) => readFileSync(join(root, 'out', site, 'shop/level.yaml'), 'utf8'))
}

test('containers of several packages run at one time, each list once, and the packages are those of calls one by one', async () => {
  // No container ends before a second one has begun.
  fakePodman(`until [ "$(grep -c begin '${root}/calls')" -ge 2 ]; do sleep 0.01; done; ${RAISE}`)
  const report = await waitFor(steps())
  // Two calls find out if a second run changes something.
  expect(calls().filter((line) => line === 'begin')).toHaveLength(8)
  expect(calls().slice(0, 2)).toEqual(['begin', 'begin'])
  expect(written()).toEqual(SITES.map(() => expect.stringContaining('level: error')))
  expect([...report.functions]).toEqual([['deploy', 6]])
})

test('a caller that cannot wait gets the same packages, with one container after the other', () => {
  fakePodman()
  const work = steps()
  let step = work.next()
  while (step.done !== true) step = work.next()
  expect(calls()).toEqual(Array.from({ length: 8 }, () => ['begin', 'end']).flat())
  expect(written()).toEqual(SITES.map(() => expect.stringContaining('level: error')))
})

test('a container that fails for one package leaves that package alone', async () => {
  fakePodman(`input=$(cat); case "$input" in *'site: south'*) echo no south >&2; exit 3 ;; esac; printf '%s\\n' "$input"`)
  const report = await waitFor(steps())
  expect(report.results.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
    expect.stringContaining('failed with exit code 3: no south'),
  ])
  expect(readdirSync(join(root, 'out')).sort()).toEqual(['north', 'west'])
})

test('a second render calls each function once more, since people may have changed what it is given', async () => {
  fakePodman(`cat`)
  await waitFor(steps())
  const before = calls().length
  await waitFor(steps())
  expect(calls()).toHaveLength(2 * before)
})

test('nothing is called if an image of the fleet has nothing that runs it', async () => {
  fakePodman()
  await expect(waitFor(steps({ withoutRunner: true }))).rejects.toThrow('must have something that runs it')
  expect(readdirSync(root)).not.toContain('calls')
})

test('an interrupted wait ends the containers', async () => {
  fakePodman('sleep 30')
  const work = steps()
  let step = work.next()
  while (step.done !== true && step.value.wait === undefined) step = work.next()
  const started = performance.now()
  const waiting = step.done === true ? undefined : step.value.wait?.()
  const timer = setInterval(() => {
    if (!existsSync(join(root, 'calls'))) return
    clearInterval(timer)
    expect(() => work.throw(new Error('interrupted'))).toThrow('interrupted')
  }, 20)
  await waiting
  expect(performance.now() - started).toBeLessThan(10_000)
})
