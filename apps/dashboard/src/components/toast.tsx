import { Toast } from '@base-ui/react/toast'
import { toApiError } from '../api/api-error.ts'
import { IconButton } from './icon-button.tsx'
import { CircleAlert, CircleCheck, X } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'

const toasts = Toast.createToastManager()

/** Confirms an action. */
export function toastSuccess(title: string): void {
  toasts.add({ title, type: 'success' })
}

/** Reports a failure that has no place on the page. */
export function toastError(title: string, thrown: unknown): void {
  const { message, requestId } = toApiError(thrown)
  const description = requestId === undefined ? message : `${message} Request ${requestId}`
  toasts.add({ title, description, type: 'error', priority: 'high', timeout: 10_000 })
}

/** Shows the toasts. Rendered once. */
export function Toasts() {
  const container = usePopupContainer()
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal container={container}>
        <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-[calc(100vw-2rem)] max-w-sm flex-col gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 pr-1.5 pl-3 shadow-lg"
    >
      {toast.type === 'error' ? (
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      ) : (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
      )}
      <div className="min-w-0 flex-1">
        <Toast.Title className="text-sm font-medium" />
        <Toast.Description className="text-xs break-words text-muted" />
      </div>
      <Toast.Close render={<IconButton icon={X} label="Dismiss" size="sm" className="-my-1" />} />
    </Toast.Root>
  ))
}
