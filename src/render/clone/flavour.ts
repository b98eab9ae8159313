/** How a package is cloned: as `kpt pkg get --for-deployment` does it, or as Porch does for a deployment repository. */
export type CloneFlavour = 'kpt' | 'porch'

export const CLONE_FLAVOURS: readonly CloneFlavour[] = ['kpt', 'porch']
