import { execFileSync } from 'node:child_process'
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** A pipe, both ends of which fail at once with EAGAIN where others wait. */
export function impatientPipe(): { readonly reader: number; readonly writer: number } {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-pipe-'))
  try {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const reader = openSync(path, O_RDONLY | O_NONBLOCK)
    return { reader, writer: openSync(path, O_WRONLY | O_NONBLOCK) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
