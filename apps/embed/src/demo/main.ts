// The demonstration page's script. Shows how a host page uses window.TimeslotCancel.
const field = (id: string): HTMLInputElement => document.getElementById(id) as HTMLInputElement;

field('date').valueAsDate = new Date();
document.getElementById('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  window.TimeslotCancel.open({
    clientName: field('client').value,
    location: field('location').value,
    startDate: field('date').value,
    onConfirm: (slots, sessions) => {
      const received = document.getElementById('received');
      if (received) received.textContent = JSON.stringify({ slots, sessions }, null, 2);
    },
  });
});
export {};
