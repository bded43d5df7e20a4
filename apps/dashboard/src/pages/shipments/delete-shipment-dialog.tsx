import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import type { EditShipmentDialogProps } from './edit-shipment-dialog.tsx'
import { reloadShipments } from './shipment.ts'

export function DeleteShipmentDialog({ shipment, onClose }: EditShipmentDialogProps) {
  const navigate = useNavigate()
  const remove = api.useMutation('delete', '/api/v1/shipments/{id}', {
    async onSuccess() {
      // The page of the shipment closes first, so that it does not load again.
      await navigate({ to: '/shipments', search: true, resetScroll: false, replace: true })
      await reloadShipments()
      toastSuccess(`${shipment.reference} was deleted`)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${shipment.reference}?`}
      action="Delete shipment"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { id: shipment.id } } })}
    >
      The shipment and its history are deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
