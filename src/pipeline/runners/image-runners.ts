import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../../package/git-cache.ts'
import { AnswerCache } from './answer-cache.ts'
import { type ContainerRunners, containerRunners } from './container.ts'
import type { ProgramSettings } from './program.ts'

/** How images run in containers. */
export interface ContainerOptions {
  /** The images that may use the network, as `ContainerSettings` has them. */
  readonly network: ReadonlySet<string>
  /** True to keep the answers of containers for later runs. */
  readonly keepsAnswers: boolean
}

/** Returns the runners of images in containers, which start in a folder of their own and keep answers in the user's cache. */
export function imageRunners({ network, keepsAnswers }: ContainerOptions, settings: ProgramSettings): ContainerRunners {
  const answers = cacheFolder(settings.environment, tmpdir(), 'functions')
  // The monitor of podman writes a file `oom` into the folder that it was started in.
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-containers-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return containerRunners({ ...settings, folder, network, cache: keepsAnswers ? new AnswerCache(answers) : undefined })
}
