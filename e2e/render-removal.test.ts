import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { differingFiles, readFolder } from './folder-copy.ts'
import { edit } from './render/edits.ts'
import { makeWorkspace, render, type Workspace } from './render/workspace.ts'

const GONE = 'hub-north/loyalty'

const UNKNOWN_UPSTREAM = 'upstream:\n  type: git\n  git:\n    repo: https://git.example.com/gone.git\n    directory: /tenant\n    ref: v9\n'

/** A rendered fleet of which one tenant leaves. */
async function tenantLeaves(): Promise<Workspace & { readonly gone: string }> {
  const workspace = await makeWorkspace()
  expect((await render(workspace)).exitCode).toBe(0)
  edit(join(workspace.fleet, 'sets/tenants.yaml'), '[loyalty, payments]', '[payments]')
  return { ...workspace, gone: join(workspace.clusters, GONE) }
}

test('a package without objects of people goes with its variant, what its variant wrote in it too', async () => {
  const workspace = await tenantLeaves()
  expect((await render(workspace)).exitCode).toBe(0)
  expect(existsSync(workspace.gone)).toBe(false)
})

test.each([
  {
    what: 'a file that git does not track',
    make: (gone: string) => writeFileSync(join(gone, 'NOTES.md'), 'Ask Anna.\n'),
    named: 'NOTES.md',
  },
  { what: 'a field of a resource', make: (gone: string) => edit(join(gone, 'quota.yaml'), '"20"', '"25"'), named: 'quota.yaml' },
  {
    what: 'a comment in the Kptfile',
    make: (gone: string) => edit(join(gone, 'Kptfile'), 'metadata:', '# ours\nmetadata:'),
    named: 'Kptfile',
  },
  { what: 'a symbolic link', make: (gone: string) => symlinkSync('quota.yaml', join(gone, 'link.yaml')), named: 'link.yaml' },
  { what: 'a resource that is missing', make: (gone: string) => rmSync(join(gone, 'network-policy.yaml')), named: 'network-policy.yaml' },
  {
    what: 'a git repository',
    make: (gone: string) => {
      mkdirSync(join(gone, '.git'))
      writeFileSync(join(gone, '.git/HEAD'), 'ref: refs/heads/main\n')
    },
    named: '.git',
  },
])('$what keeps a package from being removed, until --discard-edits', async ({ make, named }) => {
  const workspace = await tenantLeaves()
  make(workspace.gone)
  const before = readFolder(workspace.clusters)
  for (const options of [['--dry-run', '--diff'], []]) {
    const { stderr, exitCode } = await render(workspace, ...options)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`: '${named}' [discard-edits]`) })
    expect(stderr).toContain("must be 'orphan' (deletionPolicy orphan) to leave 'hub-north/loyalty' to itself")
    expect(differingFiles(before, readFolder(workspace.clusters))).toEqual([])
  }
  const discarded = await render(workspace, '--discard-edits')
  expect(discarded.stderr).toContain(`: '${named}' [edits-discarded]`)
  expect([discarded.exitCode, existsSync(workspace.gone)]).toEqual([0, false])
})

test('the annotation that the message names leaves the package to itself', async () => {
  const workspace = await tenantLeaves()
  writeFileSync(join(workspace.gone, 'NOTES.md'), 'Ask Anna.\n')
  edit(join(workspace.gone, 'Kptfile'), 'deletion-policy: delete', 'deletion-policy: orphan')
  expect((await render(workspace)).exitCode).toBe(0)
  expect(existsSync(join(workspace.gone, 'NOTES.md'))).toBe(true)
})

test('where the upstream cannot be read any more, every file counts', async () => {
  const workspace = await tenantLeaves()
  edit(join(workspace.gone, 'Kptfile'), /upstream:[\s\S]*/, UNKNOWN_UPSTREAM)
  const { stderr, exitCode } = await render(workspace)
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining('all of it counts, since the upstream that it was made of cannot be read'),
  ])
})
