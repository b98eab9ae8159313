import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock.ts'

let locks = ''
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'folder-lock-'))
  locks = join(root, 'locks')
  onTestFinished(() => rmSync(root, { recursive: true }))
})

const lock = (folder: string, part?: string) => lockFolder({ locks, folder, part })

test('a lock holds until its release, and for its folder alone', () => {
  const first = lock('/there/one')
  expect(() => lock('/there/one')).toThrow(FolderInUse)
  lock('/there/two').release()
  first.release()
  first.release()
  lock('/there/one').release()
  expect(readdirSync(locks)).toEqual([])
})

test('parts exclude themselves and the whole, not each other', () => {
  const [a, b] = [lock('/one', 'a'), lock('/one', 'b')]
  for (const part of ['a', undefined]) expect(() => lock('/one', part)).toThrow(new FolderInUse(process.pid))
  expect(readdirSync(locks)).toHaveLength(2)
  a.release()
  b.release()
  const whole = lock('/one')
  expect(() => lock('/one', 'a')).toThrow(FolderInUse)
  whole.release()
  expect(readdirSync(locks)).toEqual([])
})

test('a folder excludes those inside of it and around it, whole or in part, and none beside it', () => {
  const inner = lock('/one/deep/two')
  for (const part of ['a', undefined]) expect(() => lock('/one', part)).toThrow(FolderInUse)
  lock('/one/deep/two-more').release()
  inner.release()
  const outer = lock('/one', 'a')
  expect(() => lock('/one/deep')).toThrow(FolderInUse)
  expect(() => lock('/')).toThrow(FolderInUse)
  outer.release()
  expect(readdirSync(locks)).toEqual([])
})

describe('a run is not refused by', () => {
  /** Leaves a lock with another mark where a run on the folder takes its own. */
  function leave(mark: string): void {
    lock('/one')
    const [name = ''] = readdirSync(locks)
    unlinkSync(join(locks, name))
    symlinkSync(mark, join(locks, name))
  }

  const { pid: gone } = spawnSync(process.execPath, ['--version'])
  test.each([
    { what: 'the lock of a process that is gone', mark: `${gone}.1.x` },
    { what: 'a link of another form', mark: '/etc' },
  ])('$what', ({ mark }) => {
    leave(mark)
    lock('/one').release()
    expect(readdirSync(locks)).toEqual([])
  })

  test.runIf(process.platform === 'linux')('the lock of a process whose id another process has now', () => {
    leave(`${process.pid}.1.x`)
    lock('/one').release()
    expect(readdirSync(locks)).toEqual([])
  })

  test('a folder in which no lock can be made', () => {
    lock('/one').release()
    chmodSync(locks, 0o500)
    const [first, second] = [lock('/one'), process.getuid?.() === 0 ? undefined : lock('/one')]
    second?.release()
    first.release()
    expect(readdirSync(locks)).toEqual([])
  })
})

/** Returns the fields of a process behind its name: the state first, and the time at which it began as the twentieth. */
function statOf(id: number): readonly string[] {
  const stat = readFileSync(`/proc/${id}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Gives the lock of a folder to another process. */
function handOver(folder: string, id: number): void {
  lock(folder)
  const [name = ''] = readdirSync(locks)
  const place = join(locks, name)
  const mark = readlinkSync(place)
  unlinkSync(place)
  symlinkSync(mark.replace(/^\d+\.\d*/, `${id}.${statOf(id)[19]}`), place)
}

test.runIf(process.platform === 'linux')('the lock of another living process names it, and stays', () => {
  handOver('/one', process.ppid)
  expect(() => lock('/one')).toThrow(new FolderInUse(process.ppid))
  expect(readdirSync(locks)).toHaveLength(1)
})

test.runIf(process.platform === 'linux')(
  'the lock of a process that was killed, and whose end no process asked for yet, counts as none',
  () => {
    const { pid = 0 } = spawn('sleep', ['60'])
    handOver('/one', pid)
    expect(() => lock('/one')).toThrow(new FolderInUse(pid))
    process.kill(pid, 'SIGKILL')
    // This process asks for the end of the other one only after the test.
    while (statOf(pid)[0] !== 'Z');
    lock('/one').release()
    expect(readdirSync(locks)).toEqual([])
  },
)
