import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CheckoutGaps } from './checkout-gaps.ts'

const COMMIT = '1'.repeat(40)

test('a folder has the gaps below it, not those of a folder whose name begins with its name', () => {
  const root = mkdtempSync(join(tmpdir(), 'checkout-gaps-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  execFileSync('git', ['init', '--quiet', root])
  execFileSync('git', ['-C', root, 'update-index', '--add', '--cacheinfo', `160000,${COMMIT},app-two/lib`])
  mkdirSync(join(root, 'app'))
  mkdirSync(join(root, 'app-two/lib'), { recursive: true })
  const gaps = new CheckoutGaps()
  expect(gaps.below(join(root, 'app-two'), true)).toEqual([{ path: 'lib', reason: 'submodule', id: COMMIT }])
  expect(gaps.below(join(root, 'app'), true)).toEqual([])
})
