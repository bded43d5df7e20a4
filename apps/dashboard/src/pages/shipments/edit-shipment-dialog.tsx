import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toastSuccess } from '../../components/toast.tsx'
import { ShipmentForm } from './shipment-form.tsx'
import { toBody, toValues } from './shipment-values.ts'
import { reloadShipments, type Shipment } from './shipment.ts'

export interface EditShipmentDialogProps {
  readonly shipment: Shipment
  onClose(): void
}

export function EditShipmentDialog({ shipment, onClose }: EditShipmentDialogProps) {
  const [values, setValues] = useState(() => toValues(shipment))
  const save = api.useMutation('put', '/api/v1/shipments/{id}', {
    async onSuccess() {
      await reloadShipments()
      toastSuccess('Shipment saved')
      onClose()
    },
  })
  return (
    <ShipmentForm
      title={`Edit ${shipment.reference}`}
      values={values}
      onChange={setValues}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onSubmit={() => {
        const { status: _unchanged, ...body } = toBody(values)
        // The service rejects the change if someone else has changed the shipment meanwhile.
        save.mutate({ params: { path: { id: shipment.id } }, body: { ...body, updated_at: shipment.updated_at } })
      }}
      onClose={onClose}
    />
  )
}
