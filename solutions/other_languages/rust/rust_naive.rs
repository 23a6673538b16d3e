//! part1/naive in Rust: the formulas, word for word, on one thread.

mod protocol;
mod simulation;

#[derive(Clone)]
struct Body {
    mass: f32,
    q: [f32; 3],
    v: [f32; 3],
    a: [f32; 3],
}

struct Naive {
    g: f32,
    softening: f32,
    bodies: Vec<Body>,
}

fn length(x: [f32; 3]) -> f32 {
    (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]).sqrt()
}

fn difference(to: [f32; 3], from: [f32; 3]) -> [f32; 3] {
    [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
}

impl simulation::Simulator for Naive {
    fn new(bodies: &[[f32; 7]], g: f32, softening: f32, _threads: usize) -> Self {
        let body = |&[mass, x, y, z, vx, vy, vz]: &[f32; 7]| Body {
            mass,
            q: [x, y, z],
            v: [vx, vy, vz],
            a: [0.0; 3],
        };
        Naive { g, softening, bodies: bodies.iter().map(body).collect() }
    }

    // Eq. 1: each pair's force; Eq. 2: their sum; Eq. 3: the acceleration.
    fn compute_accelerations(&mut self) {
        for i in 0..self.bodies.len() {
            let mut a = [0.0; 3];
            let (q, mass) = (self.bodies[i].q, self.bodies[i].mass);
            for (j, other) in self.bodies.iter().enumerate() {
                if i != j {
                    let d = difference(other.q, q);
                    let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                    let distance = (r2 + self.softening * self.softening).sqrt();
                    let force = self.g * mass * other.mass / (distance * distance);
                    for axis in 0..3 {
                        a[axis] += force * (d[axis] / distance) / mass;
                    }
                }
            }
            self.bodies[i].a = a;
        }
    }

    // Eq. 7: no body may travel more than 10 % of the way to its nearest neighbour.
    fn largest_time_step(&self) -> f32 {
        let mut smallest = f32::INFINITY;
        for (i, body) in self.bodies.iter().enumerate() {
            let mut nearest = f32::INFINITY;
            for (j, other) in self.bodies.iter().enumerate() {
                if i != j {
                    nearest = nearest.min(length(difference(other.q, body.q)));
                }
            }
            let (v, a) = (length(body.v), length(body.a));
            let dt = 0.2 * nearest / (v + (v * v + 0.2 * a * nearest).sqrt());
            smallest = smallest.min(if nearest > 0.0 { dt } else { 0.0 }); // at rest, Eq. 7 is 0/0
        }
        smallest
    }

    // Eq. 5 with the old velocity, then Eq. 4.
    fn update_bodies(&mut self, dt: f32, damping: f32) {
        for body in &mut self.bodies {
            for axis in 0..3 {
                body.q[axis] += body.v[axis] * dt + body.a[axis] * dt * dt / 2.0;
                body.v[axis] = (body.v[axis] + body.a[axis] * dt) * damping;
            }
        }
    }

    fn state(&self, i: usize) -> [f32; 6] {
        let Body { q, v, .. } = &self.bodies[i];
        [q[0], q[1], q[2], v[0], v[1], v[2]]
    }

    fn acceleration(&self, i: usize) -> [f32; 3] {
        self.bodies[i].a
    }
}

fn main() {
    protocol::serve("rust_naive", simulation::answer::<Naive>);
}
