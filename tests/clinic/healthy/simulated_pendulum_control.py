import math
import tensorflow as tf

controls = tf.Variable(tf.zeros([15]))
goal = math.pi / 4
for it in range(4):
    with tf.GradientTape() as tape:
        angle, speed, cost = tf.constant(0.0), tf.constant(0.0), tf.constant(0.0)
        for t in range(15):
            torque = tf.clip_by_value(controls[t], -2.0, 2.0)
            speed += 0.1 * (torque - math.sin(0.3) * tf.sin(angle))
            angle += 0.1 * speed
            cost += 0.01 * torque ** 2
        cost += (angle - goal) ** 2
    controls.assign_sub(0.5 * tape.gradient(cost, controls))
    if it % 2 == 0:
        print(f"iteration {it}: cost {float(cost):.3f} angle {math.degrees(float(angle)):.1f}")
print("RESULT:", float(cost))
