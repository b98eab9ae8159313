import { truncateName } from '../kubernetes/truncated-name.ts'

/** The name of a new variant: `SET-REPO-PACKAGE`, shortened to 63 bytes (seed 001, Identifier and Name Generation). */
export function variantName(setName: string, repo: string, packageName: string): string {
  return truncateName(`${setName}-${repo}-${packageName}`)
}
