/** The program whose clone is imitated: `kpt` as `kpt pkg get --for-deployment`, `porch` as Porch for a deployment repository. */
export type CloneFlavour = 'kpt' | 'porch'

export const CLONE_FLAVOURS: readonly CloneFlavour[] = ['kpt', 'porch']
