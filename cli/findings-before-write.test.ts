import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STAGED } from '../src/folder/staged-move.ts'
import { recordingHost, recordRun } from '../testdata/cli/recorded-run.ts'
import { folderFor, promoteTo, textsIn, WRITERS, type Writer } from '../testdata/cli/writing-commands.ts'
import { TestFleet } from '../testdata/test-fleet.ts'
import { configMapText, kptfileText } from '../testdata/written-objects.ts'
import { krmVariants } from './krm-variants.ts'

const CLUSTER = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ber}
spec: {type: git, deployment: true, git: {repo: "https://git.example.com/fleet.git", branch: main, directory: out/ber}}
`

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets: [{repositories: [{name: ber}]}]
`

const GENERATE_SYNC = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: GenerateSync
metadata: {name: s, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {for: flux, interval: 5m}
`

/** Returns a fleet that was rendered and synced, edited, and changed at the same fields. */
async function changedFleet(fleet: TestFleet): Promise<void> {
  fleet.write('set.yaml', SET)
  fleet.write('ber.yaml', CLUSTER)
  fleet.write('sync.yaml', GENERATE_SYNC)
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@v${revision}/Kptfile`, kptfileText('web'))
    fleet.write(`catalog/web@v${revision}/a.yaml`, configMapText('a', `data:\n  size: "${revision}"\n`))
  }
  await recordRun(fleet.root, ['render', '.', '--out', 'out'])
  await recordRun(fleet.root, ['sync', '.'])
  fleet.edit('out/ber/web/a.yaml', 'size: "1"', 'size: "7"')
  fleet.edit('flux/kustomization-ber-web.yaml', '  interval: 5m', '  interval: 7m')
  fleet.edit('set.yaml', 'revision: 1', 'revision: 2')
  fleet.edit('sync.yaml', 'interval: 5m', 'interval: 9m')
}

test.each([
  ['render', ['render', '.', '--out', 'out'], 'out/ber/web/a.yaml', 'size: "7"', '[edit-lost]'],
  ['render --format json', ['render', '.', '--out', 'out', '--format', 'json'], 'out/ber/web/a.yaml', 'size: "7"', '[edit-lost]'],
  ['sync', ['sync', '.'], 'flux/kustomization-ber-web.yaml', 'interval: 7m', '[sync-edit-lost]'],
  ['fn --write', ['fn', 'generate-sync', '.', '--write'], 'flux/kustomization-ber-web.yaml', 'interval: 7m', '[sync-edit-lost]'],
])('%s names a lost edit before the file is written, once', async (_, args, path, edit, rule) => {
  const fleet = new TestFleet()
  try {
    await changedFleet(fleet)
    const [isEdited, said]: [boolean[], string[]] = [[], []]
    const { host } = recordingHost(fleet.root, {
      warn: (text) => {
        said.push(text)
        if (text.includes(rule)) isEdited.push(readFileSync(join(fleet.root, path), 'utf8').includes(edit))
      },
    })
    expect([await krmVariants(args, host), isEdited]).toEqual([0, [true]])
    expect(said.join('').split(rule)).toHaveLength(2)
    expect(fleet.read(path)).not.toContain(edit)
  } finally {
    fleet.remove()
  }
})

/** Adds a set with a finding, which promote does not change. */
async function addSet(folder: string): Promise<void> {
  writeFileSync(join(folder, 'set.yaml'), SET.replace('revision: 1', 'revision: "1"'))
}

/** The finding of each command that must be said before it writes. A diff of what was written comes behind the write, which may be refused. */
const FIRST_WORDS: Readonly<Record<string, string>> = {
  adopt: '[variants-adopted]',
  sync: '[sync-order]',
  run: '[function-result]',
  'run --status': '[function-result]',
  'fn --write': '[fan-out]',
  render: '[edit-lost]',
}

const SPEAKERS: readonly (Writer & { readonly words: string })[] = [
  ...WRITERS.flatMap((writer) => {
    const words = FIRST_WORDS[writer.name]
    return words === undefined ? [] : [{ ...writer, words }]
  }),
  { name: 'promote', from: 'testdata/cli/promote/input', args: promoteTo('europe', '4'), before: addSet, words: '[string-revision]' },
]

/** Returns the texts of a folder without the files that are staged beside their places. */
function textsInPlace(folder: string): ReadonlyMap<string, string> {
  return new Map([...textsIn(folder)].filter(([path]) => !path.includes(STAGED)))
}

test.each(SPEAKERS)('$name says it before the first write, once', async (writer) => {
  const folder = await folderFor(writer)
  const before = textsInPlace(folder)
  const then: ReadonlyMap<string, string>[] = []
  const note = (text: string) => {
    if (text.includes(writer.words)) then.push(textsInPlace(folder))
  }
  const { host } = recordingHost(folder, { warn: note, write: note })
  await krmVariants(writer.args, host)
  expect(then).toEqual([before])
  expect(textsInPlace(folder)).not.toEqual(before)
})
